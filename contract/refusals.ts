// No zod here: the browser needs these sentences at run time.

/**
 * Everything the server may refuse: code → HTTP status → sentence.
 * The sentence is what a person reads, so it says what happened and what to do.
 */
export const refusals = {
  'invalid-input': [400, 'Something in this request is missing or not valid.'],
  'code-wrong': [400, 'That code did not match. Check the newest email and try again.'],
  'code-dead': [400, 'This code is no longer valid. Ask for a new one.'],
  'not-signed-in': [401, 'Sign in to continue.'],
  'forged-request': [403, 'This request did not come from the app. Reload the page and try again.'],
  'google-refused': [
    403,
    'Google did not sign you in with a verified address. Try again, or sign in with a code.',
  ],
  'not-a-member': [403, 'You are not a member of this team, or it does not exist.'],
  'not-the-driver': [403, 'Only the driver of this session can do that.'],
  'not-yours': [403, 'Only this person can change that.'],
  'not-found': [404, 'There is nothing at this address.'],
  'already-a-member': [409, 'This person is already in the team.'],
  'already-driving': [409, 'You already have an active session in this team. End it first.'],
  'session-ended': [409, 'This session has ended.'],
  'too-large': [413, 'That is too large to send.'],
  'unsupported-type': [415, 'This kind of content is not accepted here.'],
  'too-many': [429, 'Too many tries. Wait a moment, then try again.'],
  'server-error': [500, 'The server could not do that. Try again.'],
  'google-not-set-up': [501, 'Google sign-in is not set up on this server.'],
  'mail-not-sent': [503, 'The email could not be sent. Try again.'],
  'not-ready': [503, 'The server is starting or stopping. Try again.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>
