import type { RefusalCode } from '#contract/refusal.ts'

/** The same request may succeed later. */
export function isTransient(code: RefusalCode): boolean {
  return code === 'server-error' || code === 'not-ready' || code === 'too-many'
}
