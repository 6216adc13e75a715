import type { Kysely, Transaction } from 'kysely'
import type { TeamId, UserId, WordId } from '#contract/ids.ts'
import type { OwnWord } from '#contract/ownWords.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxOwnWords } from '#contract/shared/ownWords.ts'
import type { AppContext } from '../context.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Tables } from '../db/schema/tables.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { publishTeamChanged } from './teamChanged.ts'
import { recordTeamChange } from './teamChanges.ts'

/** Reads the words of a team, in its order. The caller must have checked the membership. */
export function ownWords(db: Kysely<Tables>, teamId: TeamId): Promise<OwnWord[]> {
  return db
    .selectFrom('own_words')
    .select(['id', 'text', 'colour'])
    .where('team_id', '=', teamId)
    .orderBy('position')
    .execute()
}

type Context = Pick<AppContext, 'db' | 'live' | 'clock'>

/**
 * Adds a word at the first free place, or changes the one with this id. Idempotent. Refuses with `not-a-member`,
 * `view-only` (viewers), `too-many`, or `invalid-input` (a fifth word, or a duplicate).
 */
export function saveWord(
  context: Context,
  userId: UserId,
  { teamId, word }: { teamId: TeamId; word: OwnWord },
): Promise<OwnWord[]> {
  return changeWords(context, { teamId, userId }, async trx => {
    const known = await trx
      .selectFrom('own_words')
      .selectAll()
      .where('team_id', '=', teamId)
      .forUpdate()
      .execute()
    const before = known.find(({ id }) => id === word.id)
    if (before?.text === word.text && before.colour === word.colour) return null
    const taken = known.map(({ position }) => position)
    const position = before?.position ?? places.find(place => !taken.includes(place))
    if (position === undefined) throw new Refusal('invalid-input', { detail: 'words-too-many' })
    const { text, colour } = word
    const saved = await trx
      .insertInto('own_words')
      .values({ id: word.id, team_id: teamId, position, text, colour })
      .onConflict(conflict =>
        conflict.column('id').doUpdateSet({ text, colour }).where('own_words.team_id', '=', teamId),
      )
      .returning('id')
      .executeTakeFirst()
      .catch((error: unknown) => {
        if (isUniqueViolation(error, 'own_words_by_text'))
          throw new Refusal('invalid-input', { fields: { 'word.text': 'word-taken' } })
        throw error
      })
    // Another team has a word with this id.
    if (!saved) throw new Refusal('not-found')
    return before
      ? { kind: 'word-changed', before: before.text, after: text }
      : { kind: 'word-added', after: text }
  })
}

const places = Array.from({ length: maxOwnWords }, (_, place) => place)

/** Deletes a word. Idempotent. Refuses with `not-a-member`, `view-only` (viewers) or `too-many`. */
export function removeWord(
  context: Context,
  userId: UserId,
  { teamId, wordId }: { teamId: TeamId; wordId: WordId },
): Promise<OwnWord[]> {
  return changeWords(context, { teamId, userId }, async trx => {
    const removed = await trx
      .deleteFrom('own_words')
      .where('team_id', '=', teamId)
      .where('id', '=', wordId)
      .returning('text')
      .executeTakeFirst()
    return removed ? { kind: 'word-removed', before: removed.text } : null
  })
}

interface Change {
  kind: 'word-added' | 'word-changed' | 'word-removed'
  before?: string
  after?: string
}

/**
 * Runs a change of a team's words, one at a time, records it in the team's history, and notifies every member. A change
 * that returns null changed nothing.
 */
async function changeWords(
  { db, live, clock }: Context,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
  change: (trx: Transaction<Tables>) => Promise<Change | null>,
): Promise<OwnWord[]> {
  const { changed, words } = await db.transaction().execute(async trx => {
    await lockTeam(trx, teamId)
    await requireStillEditor(trx, teamId, userId)
    const made = await change(trx)
    if (made) await recordTeamChange(trx, { teamId, actorId: userId, at: clock.now(), ...made })
    return { changed: made !== null, words: await ownWords(trx, teamId) }
  })
  if (changed) await publishTeamChanged({ db, live }, teamId)
  return words
}
