declare global {
  interface Window {
    /** Not in every browser; those that have it let no text become code but by a policy. TypeScript takes its values for text. */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(): string },
      ): { createScriptURL(input: string): string }
    }
  }
}

/**
 * The address of a script of ours that the browser may start as a worker. Each has a policy of its own, named in
 * `server/src/http/security-headers.ts` and made once, which lets through this one address.
 */
export function trustedScript(policyName: string, url: string): string {
  const policy = window.trustedTypes?.createPolicy(policyName, { createScriptURL: () => url })
  return policy?.createScriptURL(url) ?? url
}
