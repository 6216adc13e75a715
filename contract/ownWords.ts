import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { TeamId, WordId } from './ids.ts'
import { isReserved, maxWordLetters, shownLetters, wordColours, wordOf } from './shared/ownWords.ts'
import { refusalDetail } from './text.ts'

/** Colour of a team's own word, named after the message with the same colour. */
export const WordColour = z.enum(wordColours)

/** A word, in capitals, that a team can send in addition to the messages of the app. */
export const OwnWord = z.object({
  id: WordId,
  text: z
    .string()
    .overwrite(wordOf)
    .min(1, refusalDetail('missing'))
    .max(maxWordLetters, refusalDetail('word-too-long'))
    .regex(shownLetters, refusalDetail('word-letters'))
    .refine(word => !isReserved(word), refusalDetail('word-reserved')),
  colour: WordColour,
})
export type OwnWord = z.infer<typeof OwnWord>

const ofTeam = z.object({ teamId: TeamId })

export const words = {
  list: read({
    auth: 'any-login',
    scopes: ['read', 'send'],
    summary: 'The own words of a team, which messages.set sends like the messages of the app.',
    input: ofTeam,
    output: z.array(OwnWord),
  }),
  save: command({
    auth: 'signed-in',
    limit: 'rare',
    summary:
      'Adds a word, or changes the one with this id. Messages that were sent keep theirs. Idempotent. Returns all words.',
    input: ofTeam.extend({ word: OwnWord }),
    output: z.array(OwnWord),
  }),
  remove: command({
    auth: 'signed-in',
    limit: 'rare',
    summary: 'Deletes a word. Messages that were sent keep it. Idempotent. Returns all words.',
    input: ofTeam.extend({ wordId: WordId }),
    output: z.array(OwnWord),
  }),
}
