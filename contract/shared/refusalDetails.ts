// No zod here: the browser needs these at run time, but only after a refusal with a detail.

import { maxFileBytes, maxImageSidePx, maxTeamBytes, maxTeamFiles } from './fileRules.ts'

export type RefusalDetail = keyof typeof detailSentences

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
  'email-not-yours': 'This is not the address of your account.',
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
