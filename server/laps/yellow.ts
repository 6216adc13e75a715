import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import { yellowMessages } from '#contract/shared/lapKinds.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { type YellowPeriods, type YellowTimes, yellowPeriods } from '#racing/timing/yellow.ts'
import { epochMs } from '../db/epochMs.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/schema/tables.ts'

/** The newest messages of a session, whose yellow times count: a day's race has some hundreds. */
const countedMessages = 1000

/** Reads when laps of a session are yellow. */
export async function yellowPeriodsOf(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<YellowPeriods> {
  const { rows } = await sql<{ times: YellowTimes }>`
    ${prepared} select ${yellowTimesAsJson(sql`${sessionId}::uuid`)} as times`.execute(db)
  const [{ times } = { times: { messages: [], seen: [], entered: [], marksMs: [] } }] = rows
  return yellowPeriods(times)
}

/** Reads when an official flag or a message makes laps of a session yellow, in order of time. */
export async function yellowTimesOf(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<{ from: EpochMs; to: EpochMs | null }[]> {
  const { flags, messages } = await yellowPeriodsOf(db, sessionId)
  return [...flags, ...messages]
    .map(({ fromMs, untilMs }) => ({ from: fromMs, to: untilMs }))
    .sort((a, b) => a.from - b.from)
}

/** Selects everything that makes laps of a session yellow, as SQL. */
export function yellowTimesAsJson(sessionId: RawBuilder<unknown>): RawBuilder<YellowTimes> {
  const raceId = sql`(select race_id from sessions where id = ${sessionId})`
  return sql`json_build_object(
    'messages', ${messagesAsJson(sessionId)},
    'seen', (
      select coalesce(json_agg(json_build_object(
        'flag', flag, 'fromMs', ${epochMs(sql`at`)}, 'seenMs', ${epochMs(sql`seen_at`)}
      ) order by at), '[]')
      from official_flags where race_id = ${raceId}
    ),
    'entered', (
      select coalesce(json_agg(json_build_object(
        'flag', entry ->> 'flag', 'at', ${epochMs(sql`entered_at`)}
      ) order by entered_at, id), '[]')
      from timing_entries where race_id = ${raceId} and car_id is null and undone_at is null
    ),
    'marksMs', (
      select coalesce(json_agg(${epochMs(sql`at`)}), '[]')
      from (
        select at from lap_marks where session_id = ${sessionId}
        order by at desc limit ${sql.lit(storedBounds.lapMarks.max)}
      ) newest
    )
  )`
}

/**
 * Selects when FCY, SC or Code 60 was the newest message to the car of a session, whichever of its phones received it. A
 * press counts once, from when it was first sent. If only phones that took over have it, it counts from the press: when it
 * is carried over depends on when positions arrive.
 */
function messagesAsJson(sessionId: RawBuilder<unknown>) {
  return sql`(
    select coalesce(json_agg(json_build_object(
      'type', type, 'fromMs', ${epochMs(sql`since`)}, 'untilMs', ${epochMs(sql`until`)}
    ) order by since), '[]')
    from (
      select type, since, lead(since) over (order by since, version) as until
      from (
        select distinct on (command_id) type, version,
          case when carried_over then pressed_at else sent_at end as since
        from (
          select ${sessionId} as id
          union
          select phone.id from sessions own
          join sessions phone on phone.race_id = own.race_id and phone.car_id = own.car_id
          where own.id = ${sessionId}
        ) phones
        cross join lateral (
          select * from messages where session_id = phones.id
          order by version desc limit ${sql.lit(countedMessages)}
        ) newest
        order by command_id, carried_over, sent_at
      ) pressed
    ) followed
    where type in (${sql.join(yellowMessages)})
  )`
}
