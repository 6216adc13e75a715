// No zod here: both sides need these at run time.

/**
 * Every refusal of the server, with its HTTP status and its English sentence, which clients of the API and the app show:
 * it states what happened and what to do.
 */
export const refusals = {
  'invalid-input': { status: 400, sentence: 'Something in this request is missing or not valid.' },
  'code-wrong': {
    status: 400,
    sentence: 'That code did not match. Check the newest email and try again.',
  },
  'code-dead': {
    status: 400,
    sentence:
      'This code has expired, was used, or another browser asked for it. Ask for a new one here.',
  },
  'passkey-refused': {
    status: 400,
    sentence: 'The passkey was not accepted. Try again, or sign in with a code.',
  },
  // Not 408: on a reused connection Chromium would repeat the request instead of reporting an error.
  'too-slow': { status: 400, sentence: 'That took too long. Try a faster network.' },
  'not-signed-in': { status: 401, sentence: 'Sign in to continue.' },
  'forged-request': { status: 403, sentence: 'Reload the page and try again.' },
  'google-refused': {
    status: 403,
    sentence: 'Google did not verify your email address. Try again, or sign in with a code.',
  },
  'address-needed': { status: 403, sentence: 'Sign in with an email address to do that.' },
  'attach-first': {
    status: 409,
    sentence: 'Say first whether this email is for the person who is signed in here.',
  },
  'recent-sign-in-needed': { status: 403, sentence: 'Sign out and in again first.' },
  'passkey-needed': { status: 403, sentence: 'Sign in with a passkey first.' },
  'insufficient-scope': { status: 403, sentence: 'The token may not do that.' },
  'not-a-member': {
    status: 403,
    sentence: 'You are not a member of this team, or it does not exist.',
  },
  'not-the-driver': { status: 403, sentence: 'Only the driver of this session can do that.' },
  'not-the-owner': { status: 403, sentence: 'Only the owner of this team can do that.' },
  'view-only': { status: 403, sentence: 'You can only watch in this team.' },
  'not-yours': { status: 403, sentence: 'Only this person can change that.' },
  'not-found': { status: 404, sentence: 'There is nothing here.' },
  'already-a-member': { status: 409, sentence: 'This person is already in the team.' },
  'email-taken': {
    status: 409,
    sentence: 'Another account has this email address. Use another one, or sign in with it.',
  },
  'already-driving': {
    status: 409,
    sentence: 'You already have an active session in this team. End it first.',
  },
  'driven-elsewhere': { status: 409, sentence: 'This session is driven on another device.' },
  'session-ended': { status: 409, sentence: 'This session has ended.' },
  'data-link-off': { status: 409, sentence: 'The data link to this car is off.' },
  'team-driving': { status: 409, sentence: 'A session of this team is active. End it first.' },
  'too-many-passkeys': { status: 409, sentence: 'Remove a passkey first.' },
  'too-large': { status: 413, sentence: 'That is too large to send.' },
  'unsupported-type': { status: 415, sentence: 'This content is not accepted.' },
  'too-many': { status: 429, sentence: 'Too many tries. Wait a moment, then try again.' },
  'server-error': { status: 500, sentence: 'The server could not do that. Try again.' },
  'google-not-set-up': { status: 501, sentence: 'Google sign-in is not set up on this server.' },
  'mail-not-sent': { status: 503, sentence: 'The email could not be sent. Try again.' },
  'not-ready': { status: 503, sentence: 'The server is starting or stopping. Try again.' },
} as const satisfies Record<string, { status: number; sentence: string }>

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
