// No zod here: the browser needs these at run time.

import { maxFileBytes, maxImageSidePx, maxTeamBytes, maxTeamFiles } from './fileRules.ts'
import type { refusals } from './refusals.ts'

export type RefusalDetail = keyof typeof detailSentences

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
  'forged-request': 'This request did not come from the app. Reload the page.',
  'google-refused': 'Google did not verify your address. Try again, or sign in with a code.',
  'recent-sign-in-needed': 'Sign out and in again first.',
  'address-needed': 'Sign in with an email address to do that.',
  'not-a-member': 'You are not a member of this team, or it does not exist.',
  'not-the-driver': 'Only the driver of this session can do that.',
  'not-the-owner': 'Only the owner of this team can do that.',
  'view-only': 'You can only watch in this team.',
  'not-yours': 'Only this person can change that.',
  'not-found': 'There is nothing here.',
  'too-slow': 'That took too long. Try a faster network.',
  'already-a-member': 'This person is already in the team.',
  'email-taken': 'Another account has this address. Use another one, or sign in with it.',
  'already-driving': 'You already have an active session in this team. End it first.',
  'driven-elsewhere': 'This session is driven on another device.',
  'session-ended': 'This session has ended.',
  'too-large': 'That is too large to send.',
  'unsupported-type': 'This kind of content is not accepted.',
  'too-many': 'Too many tries. Wait a moment, then try again.',
  'server-error': 'The server could not do that. Try again.',
  'google-not-set-up': 'Google sign-in is not set up on this server.',
  'too-many-passkeys': 'Remove a passkey first.',
  'mail-not-sent': 'The email could not be sent. Try again.',
  'not-ready': 'The server is starting or stopping. Try again.',
}

/**
 * The sentence of each detail: the exact reason for a field or a request, where the code alone is too
 * general.
 */
export const detailSentences = {
  missing: 'Fill this in.',
  'not-valid': 'This is not valid.',
  'too-long': 'This is too long.',
  'not-printable': 'Use letters, digits and punctuation only.',
  'email-incomplete': 'Enter a complete email address.',
  'email-unchanged': 'This is your address already.',
  'code-not-matching': 'That code did not match. Check the newest email.',
  'file-empty': 'This file is empty.',
  'file-too-large': `Use a file of at most ${maxFileBytes / 2 ** 20} MB.`,
  'files-too-many': `This team has ${maxTeamFiles} files. Delete one first.`,
  'files-too-large': `A team's files may take ${maxTeamBytes / 2 ** 20} MB together. Delete some first.`,
  'files-unreachable': 'Files cannot be reached. Try again.',
  'uploads-busy': 'Other uploads are in progress. Wait a moment, then try again.',
  'picture-too-large': `Use a picture of at most ${maxImageSidePx} pixels a side.`,
  'picture-damaged': 'Browsers cannot show this picture.',
  'picture-needed': 'Use a PNG, JPEG or WebP picture.',
  'invitations-too-many': 'This team has 100 open invitations. Withdraw one first.',
  'storage-full':
    "The server's disk is full: nothing was stored. Free some room, or contact the administrator.",
  'invite-not-mailed': 'They are invited, but the email could not be sent. Try again.',
}

export function isDetail(text: unknown): text is RefusalDetail {
  return typeof text === 'string' && Object.hasOwn(detailSentences, text)
}
