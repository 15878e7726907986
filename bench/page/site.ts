/** The page as files. */
import { join } from "node:path";
import { packageRoot } from "../paths.js";

/** Where `npm run build` puts the page. */
export const PAGE_FOLDER = join(packageRoot, "dist", "page");
