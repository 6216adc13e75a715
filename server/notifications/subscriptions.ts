import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { EpochMs, TeamId, UserId } from '#contract/ids.ts'
import type { PushSubscription } from '#contract/notifications.ts'
import { type NotificationKind, notificationKinds } from '#contract/teamEvents.ts'
import { nameOrEmail } from '../auth/people.ts'
import type { Tables } from '../db/schema/tables.ts'

/** The phone in the car gets notifications again once its session has ended or it was silent for this long. */
const drivenMs = 10 * 60 * 1000

/** The subscription of a browser's login. */
export interface StoredSubscription extends PushSubscription {
  loginId: string
  userId: UserId
}

const columns = [
  'push_subscriptions.login_id',
  'logins.user_id',
  'push_subscriptions.endpoint',
  'push_subscriptions.p256dh',
  'push_subscriptions.auth',
] as const

/** Stores the subscription of a login, in place of an older one. */
export async function storeSubscription(
  db: Kysely<Tables>,
  loginId: string,
  { endpoint, p256dh, auth, now }: PushSubscription & { now: EpochMs },
) {
  const endpoint_hash = createHash('sha256').update(endpoint).digest()
  const values = { endpoint_hash, endpoint, p256dh, auth, created_at: new Date(now) }
  await db.transaction().execute(async trx => {
    // Somebody else was signed in in this browser before.
    await trx
      .deleteFrom('push_subscriptions')
      .where('endpoint_hash', '=', endpoint_hash)
      .where('login_id', '!=', loginId)
      .execute()
    await trx
      .insertInto('push_subscriptions')
      .values({ login_id: loginId, ...values })
      .onConflict(conflict => conflict.column('login_id').doUpdateSet(values))
      .execute()
  })
}

/** Returns the subscription of a login, or null. */
export async function subscriptionOf(
  db: Kysely<Tables>,
  loginId: string,
): Promise<StoredSubscription | null> {
  const row = await db
    .selectFrom('push_subscriptions')
    .innerJoin('logins', 'logins.id', 'push_subscriptions.login_id')
    .select(columns)
    .where('login_id', '=', loginId)
    .executeTakeFirst()
  return row ? subscriptionFromRow(row) : null
}

export async function deleteSubscription(db: Kysely<Tables>, loginId: string) {
  await db.deleteFrom('push_subscriptions').where('login_id', '=', loginId).execute()
}

/** Deletes a subscription that its push service has reported as expired, unless a newer one has replaced it. */
export async function deleteDead(db: Kysely<Tables>, { loginId, endpoint }: StoredSubscription) {
  await db
    .deleteFrom('push_subscriptions')
    .where('login_id', '=', loginId)
    .where('endpoint', '=', endpoint)
    .execute()
}

/** Returns the kinds of notifications that a person chose: all without a choice. Kinds added later are off. */
export async function chosenKinds(db: Kysely<Tables>, userId: UserId): Promise<NotificationKind[]> {
  const row = await db
    .selectFrom('notification_choices')
    .select('kinds')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return notificationKinds.filter(kind => row?.kinds.includes(kind) ?? true)
}

export async function chooseKinds(
  db: Kysely<Tables>,
  userId: UserId,
  kinds: readonly NotificationKind[],
) {
  await db
    .insertInto('notification_choices')
    .values({ user_id: userId, kinds: [...kinds] })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet({ kinds: [...kinds] }))
    .execute()
}

/**
 * Returns the subscriptions that get a notification of this kind: those of valid logins whose user has access to the
 * team and chose the kind; for `waiting`, only of members who may let people in. The phone that drives a session gets
 * none, because a notification would cover the driver's screen.
 */
export async function recipients(
  db: Kysely<Tables>,
  { teamId, kind, now }: { teamId: TeamId; kind: NotificationKind; now: EpochMs },
): Promise<StoredSubscription[]> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .innerJoin('logins', 'logins.id', 'push_subscriptions.login_id')
    .innerJoin('team_access', 'team_access.user_id', 'logins.user_id')
    .leftJoin('notification_choices', 'notification_choices.user_id', 'logins.user_id')
    .select(columns)
    .where('team_access.team_id', '=', teamId)
    .$if(kind === 'waiting', query => query.where('team_access.role', '=', 'member'))
    .where('logins.expires_at', '>', new Date(now))
    .where(sql<boolean>`coalesce(${kind} = any(notification_choices.kinds), true)`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessions')
            .innerJoin('newest_fixes', 'newest_fixes.session_id', 'sessions.id')
            .select('sessions.id')
            .whereRef('sessions.driving_login_id', '=', 'logins.id')
            .where('sessions.status', '=', 'Active')
            .where('sessions.practice', '=', false)
            .where('newest_fixes.last_driver_contact', '>', new Date(now - drivenMs)),
        ),
      ),
    )
    .orderBy('push_subscriptions.login_id')
    .execute()
  return rows.map(subscriptionFromRow)
}

/** Returns the name of a person whose request to join a team is pending; undefined without a pending request. */
export async function waitingName(
  db: Kysely<Tables>,
  teamId: TeamId,
  userId: UserId,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('join_requests')
    .innerJoin('users', 'users.id', 'join_requests.user_id')
    .select(nameOrEmail().as('name'))
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && (row.name ?? '')
}

function subscriptionFromRow(row: {
  login_id: string
  user_id: UserId
  endpoint: string
  p256dh: string
  auth: string
}): StoredSubscription {
  const { login_id, user_id, endpoint, p256dh, auth } = row
  return { loginId: login_id, userId: user_id, endpoint, p256dh, auth }
}
