// What tests use of Node.
declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): void;
  export function beforeEach(run: () => void | Promise<void>): void;
}

declare module "node:assert/strict" {
  const assert: {
    ok(value: unknown, message?: string): asserts value;
    equal(got: unknown, want: unknown, message?: string): void;
    deepEqual(got: unknown, want: unknown, message?: string): void;
    throws(run: () => unknown, error?: unknown): void;
    rejects(promised: Promise<unknown>, error?: unknown): Promise<void>;
  };
  export default assert;
}

declare module "node:buffer" {
  export const File: typeof globalThis.File;
}
