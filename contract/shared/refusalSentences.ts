// No zod here: the browser needs these at run time.

import type { refusals } from './refusals.ts'

/**
 * The English sentence of each refusal: for clients of the API, and for the browser's catalogue. It is read
 * by people, so it states what happened and what to do.
 */
export const refusalSentences: Readonly<Record<keyof typeof refusals, string>> = {
  'invalid-input': 'Something in this request is missing or not valid.',
  'code-wrong': 'That code did not match. Check the newest email and try again.',
  'code-dead':
    'This code has expired, was used, or another browser asked for it. Ask for a new one here.',
  'passkey-refused': 'The passkey was not accepted. Try again, or sign in with a code.',
  'not-signed-in': 'Sign in to continue.',
  'forged-request': 'Reload the page and try again.',
  'google-refused': 'Google did not verify your email address. Try again, or sign in with a code.',
  'recent-sign-in-needed': 'Sign out and in again first.',
  'passkey-needed': 'Sign in with a passkey first.',
  'insufficient-scope': 'The token may not do that.',
  'address-needed': 'Sign in with an email address to do that.',
  'not-a-member': 'You are not a member of this team, or it does not exist.',
  'not-the-driver': 'Only the driver of this session can do that.',
  'not-the-owner': 'Only the owner of this team can do that.',
  'view-only': 'You can only watch in this team.',
  'not-yours': 'Only this person can change that.',
  'not-found': 'There is nothing here.',
  'too-slow': 'That took too long. Try a faster network.',
  'already-a-member': 'This person is already in the team.',
  'email-taken': 'Another account has this email address. Use another one, or sign in with it.',
  'already-driving': 'You already have an active session in this team. End it first.',
  'driven-elsewhere': 'This session is driven on another device.',
  'session-ended': 'This session has ended.',
  'data-link-off': 'The data link to this car is off.',
  'team-driving': 'A session of this team is active. End it first.',
  'too-large': 'That is too large to send.',
  'unsupported-type': 'This content is not accepted.',
  'too-many': 'Too many tries. Wait a moment, then try again.',
  'server-error': 'The server could not do that. Try again.',
  'google-not-set-up': 'Google sign-in is not set up on this server.',
  'too-many-passkeys': 'Remove a passkey first.',
  'mail-not-sent': 'The email could not be sent. Try again.',
  'not-ready': 'The server is starting or stopping. Try again.',
}
