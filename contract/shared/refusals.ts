// No zod here: both sides need these at run time.

/** Every refusal of the server: code → HTTP status. */
export const refusals = {
  'invalid-input': 400,
  'code-wrong': 400,
  'code-dead': 400,
  'passkey-refused': 400,
  // Not 408: on a reused connection Chromium would repeat the request instead of reporting an error.
  'too-slow': 400,
  'not-signed-in': 401,
  'forged-request': 403,
  'google-refused': 403,
  'address-needed': 403,
  'recent-sign-in-needed': 403,
  'passkey-needed': 403,
  'insufficient-scope': 403,
  'not-a-member': 403,
  'not-the-driver': 403,
  'not-the-owner': 403,
  'view-only': 403,
  'not-yours': 403,
  'not-found': 404,
  'already-a-member': 409,
  'email-taken': 409,
  'already-driving': 409,
  'driven-elsewhere': 409,
  'session-ended': 409,
  'data-link-off': 409,
  'team-driving': 409,
  'too-many-passkeys': 409,
  'too-large': 413,
  'unsupported-type': 415,
  'too-many': 429,
  'server-error': 500,
  'google-not-set-up': 501,
  'mail-not-sent': 503,
  'not-ready': 503,
} as const satisfies Record<string, number>

// A code in neither list below depends on the input, the login or the state of a session: the caller shows it to
// the user and does not retry by itself.

/** The refusals after which the same request may succeed later. */
const retryable: readonly (keyof typeof refusals)[] = ['server-error', 'not-ready', 'too-many']

/** True if a retry of the same request may succeed. */
export function isRetryable(code: keyof typeof refusals): boolean {
  return retryable.includes(code)
}

/** The refusals of something that does not exist, or that the caller has no right to. */
const final: readonly (keyof typeof refusals)[] = ['not-a-member', 'not-the-driver', 'not-found']

/** True if no retry of this caller can succeed. Input that a later build may send correctly is not final. */
export function isFinal(code: keyof typeof refusals): boolean {
  return final.includes(code)
}
