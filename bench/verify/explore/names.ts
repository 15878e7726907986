/** The names of a linked module: its types and functions, who calls whom, and what a name stands for. */
import {
  Call,
  CallExpr,
  type Node,
  type Statement,
  Function as WgslFunction,
} from "wgsl_reflect/wgsl_reflect.module.js";
import { fail } from "./text.js";
import { type Typed, Types, type WgslType } from "./types.js";

export interface Variable {
  readonly js: string;
  readonly type: WgslType;
  readonly memory?: { readonly writable: boolean };
  /** Of a pointer to memory: what it points to. */
  readonly target?: { readonly type: WgslType; readonly place: NonNullable<Typed["place"]> };
}

export class Names {
  readonly types: Types;
  readonly functions = new Map<string, WgslFunction>();
  readonly globals = new Map<string, Variable>();
  scopes: Map<string, Variable>[] = [];
  private names = 0;
  /** Names that each function calls. */
  private readonly calls = new Map<string, ReadonlySet<string>>();
  /** Functions that may stop. */
  readonly stopping: ReadonlySet<string>;

  constructor(nodes: readonly Statement[]) {
    this.types = new Types(nodes);
    for (const node of nodes) {
      if (!(node instanceof WgslFunction)) continue;
      this.functions.set(node.name, node);
      const own = new Set<string>();
      node.search((one: Node) => {
        if (one instanceof CallExpr || one instanceof Call) own.add(one.name);
      });
      this.calls.set(node.name, own);
    }
    this.stopping = this.closure((name) => STOPS.test(name));
  }

  /** Functions that call one whose name fits, or call one that does. */
  private closure(fits: (name: string) => boolean): Set<string> {
    const found = new Set<string>();
    for (let before = -1; before < found.size; ) {
      before = found.size;
      for (const [name, own] of this.calls) if ([...own].some((one) => fits(one) || found.has(one))) found.add(name);
    }
    return found;
  }

  uses(entry: string, names: RegExp): boolean {
    return this.closure((name) => names.test(name)).has(entry);
  }

  local(name: string, type: WgslType): Variable {
    return { js: `${name}$${this.names++}`, type };
  }

  /** A variable of the innermost scope. */
  set(name: string, variable: Variable): void {
    this.scopes.at(-1)?.set(name, variable);
  }

  find(name: string, node: Node): Variable {
    for (const scope of this.scopes.toReversed()) {
      const found = scope.get(name);
      if (found) return found;
    }
    return this.globals.get(name) ?? fail(`name ${name}`, node);
  }
}

/** Where a function may stop. */
const STOPS = /^(atomic|subgroup|workgroupBarrier|storageBarrier|workgroupUniformLoad)/;
export const VOTES = /^subgroup/;
export const BARRIERS = /^(workgroupBarrier|storageBarrier|workgroupUniformLoad)$/;
