// The package's main file is CommonJS in a package that says it is not; its other file is a module, without types.
declare module "wgsl_reflect/wgsl_reflect.module.js" {
  export * from "wgsl_reflect";
}
