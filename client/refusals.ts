import type { RefusalCode } from '#contract/refusal.ts'

/** True if a retry of the same request may succeed. */
export function isTransient(code: RefusalCode): boolean {
  return code === 'server-error' || code === 'not-ready' || code === 'too-many'
}
