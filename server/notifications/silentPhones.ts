import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId, TeamId } from '#contract/ids.ts'
import type { Down } from '#contract/live.ts'
import {
  isDriverOnline,
  offlineAfterMs,
  onlineRecheckIntervalMs,
} from '#contract/shared/liveRules.ts'
import { notificationLifeMs, silentEventMs } from '#contract/teamEvents.ts'
import type { AppContext } from '../context.ts'
import { firstId, inPages, rowsPerPage } from '../db/inPages.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Recorder } from '../telemetry/recorder.ts'

/** After a start of the server, phones reconnect within this time. */
const reconnectMs = 10_000

interface Services extends Pick<AppContext, 'db' | 'log' | 'clock' | 'events'> {
  recorder: Pick<Recorder, 'latest'>
  /** Publishes to the connections of this node only: every node notices the same. */
  publish(team: TeamId, event: Down): void
}

interface SilentPhone {
  id: SessionId
  teamId: TeamId
  contactAt: EpochMs
  /** True if the silence was recorded as an event of the team. */
  isRecorded: boolean
}

/**
 * Notices phones in cars that are silent, from the contacts in the database, so that every node notices the same. It
 * publishes each silence after `offlineAfterMs` and its end, and records it as an event of the team after
 * `silentEventMs`, of which members are notified.
 */
export class SilentPhones {
  readonly #services: Services
  readonly #startedAt: EpochMs
  #silent: ReadonlyMap<SessionId, SilentPhone> = new Map()
  #isChecking = false

  constructor(services: Services, startedAt = services.clock.now()) {
    this.#services = services
    this.#startedAt = startedAt
  }

  /** Returns the sessions of a team whose phone is silent, as published, with the time of its last contact. */
  ofTeam(team: TeamId): Record<SessionId, EpochMs> {
    const own = [...this.#silent.values()].filter(({ teamId }) => teamId === team)
    return Object.fromEntries(own.map(({ id, contactAt }) => [id, contactAt]))
  }

  /** Checks all contacts from now on. Call the result to stop. */
  watch(): () => void {
    const { clock, log } = this.#services
    return clock.every(onlineRecheckIntervalMs, () => {
      if (this.#isChecking) return
      this.#isChecking = true
      void this.check()
        .catch((error: unknown) => log.warn({ err: error }, 'failed to watch for silent phones'))
        .finally(() => {
          this.#isChecking = false
        })
    })
  }

  /** Checks all contacts once. */
  async check() {
    const { db, clock, recorder } = this.#services
    const now = clock.now()
    if (now - this.#startedAt < reconnectMs) return
    const silent: SilentPhone[] = []
    for await (const page of silentPhones(db, now)) {
      for (const phone of page) {
        // This node may not have stored the newest contact yet.
        if (!isDriverOnline(recorder.latest(phone.id)?.contactAt ?? null, now)) silent.push(phone)
      }
    }
    this.#publishChanges(new Map(silent.map(phone => [phone.id, phone])))
    if (now - this.#startedAt >= silentEventMs) this.#recordEvents(silent, now)
  }

  #publishChanges(silent: ReadonlyMap<SessionId, SilentPhone>) {
    const before = this.#silent
    this.#silent = silent
    const publish = ({ id, teamId }: SilentPhone, since: EpochMs | null) =>
      this.#services.publish(teamId, { t: 'silent', team: teamId, session: id, since })
    for (const phone of silent.values())
      if (before.get(phone.id)?.contactAt !== phone.contactAt) publish(phone, phone.contactAt)
    for (const phone of before.values()) if (!silent.has(phone.id)) publish(phone, null)
  }

  #recordEvents(silent: readonly SilentPhone[], now: EpochMs) {
    for (const { id, contactAt, isRecorded } of silent) {
      const at = contactAt + silentEventMs
      if (isRecorded || now < at || now >= at + notificationLifeMs) continue
      this.#services.events.record({ sessionId: id, kind: 'driver-silent', occurrence: at, at })
    }
  }
}

/** Active sessions of real cars whose phone has lost contact, unless their data link is off or was since. */
function silentPhones(db: Kysely<Tables>, now: EpochMs): AsyncGenerator<SilentPhone[]> {
  return inPages(
    firstId,
    after => silentPhonesAfter(db, after, now),
    ({ id }) => id,
  )
}

async function silentPhonesAfter(
  db: Kysely<Tables>,
  after: SessionId,
  now: EpochMs,
): Promise<SilentPhone[]> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('newest_fixes', 'newest_fixes.session_id', 'sessions.id')
    .select([
      'sessions.id',
      'sessions.team_id as teamId',
      ({ ref }) => ref('last_driver_contact').$notNull().as('contactAt'),
      sql<boolean>`exists (
        select from team_events e where e.session_id = sessions.id and e.kind = 'driver-silent'
          and e.occurrence = floor(extract(epoch from last_driver_contact) * 1000)::bigint + ${silentEventMs}::bigint
      )`.as('isRecorded'),
    ])
    .where('status', '=', 'Active')
    .where('practice', '=', false)
    .where('last_driver_contact', '<=', new Date(now - offlineAfterMs))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('data_link_breaks as b')
            .select('b.off_at')
            .whereRef('b.session_id', '=', 'sessions.id')
            .where(sql<boolean>`coalesce(b.on_at > last_driver_contact, true)`),
        ),
      ),
    )
    .where('sessions.id', '>', after)
    .orderBy('sessions.id')
    .limit(rowsPerPage)
    .execute()
  return rows.map(({ contactAt, ...row }) => ({ ...row, contactAt: contactAt.getTime() }))
}
