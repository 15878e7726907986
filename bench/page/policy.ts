/**
 * What the page may do: load its own files, start its own worker, fetch its own data. No text becomes code, and nothing leaves
 * its host.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
