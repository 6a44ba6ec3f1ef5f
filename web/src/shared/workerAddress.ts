type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ) => { createScriptURL: (address: string) => string };
};

/** The workers of the app: the service worker, and files of the build. */
const OURS = /^\/(sw|assets\/[\w.-]+)\.js$/;

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

/** Trusted types allow no plain string as a script's address. A policy, of which there can be one, allows these. */
export function workerAddress(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy("annon-worker", {
    createScriptURL: (asked) => {
      if (OURS.test(asked)) return asked;
      throw new TypeError();
    },
  });
  return policy ? policy.createScriptURL(address) : address;
}
