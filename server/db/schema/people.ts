import type { Generated } from 'kysely'
import type { Scope } from '#contract/shared/scopes.ts'
import type { NotificationKind } from '#contract/teamEvents.ts'

export interface PeopleTables {
  users: {
    id: Generated<string>
    email: string | null
    first_name: string | null
    last_name: string | null
    is_anonymous: Generated<boolean>
    joined: Generated<boolean>
    signed_in_at: Date | null
    created_at: Generated<Date>
  }

  logins: {
    id: Generated<string>
    user_id: string
    token_hash: Buffer
    device: string | null
    browser: Generated<string | null>
    system: Generated<string | null>
    created_at: Generated<Date>
    last_used_at: Generated<Date>
    expires_at: Date
    with_passkey: Generated<boolean>
    scopes: Generated<Scope[] | null>
  }

  login_codes: {
    email: string
    browser_hash: Buffer
    code_hmac: Buffer
    first_name: string | null
    last_name: string | null
    tries: Generated<number>
    created_at: Generated<Date>
    expires_at: Date
  }

  passkeys: {
    credential_id: Buffer
    id: Generated<string>
    user_id: string
    public_key: Buffer
    /** A bigint: both databases return it as text or number. */
    sign_count: string | number
    name: string
    created_at: Date
    last_used_at: Date | null
  }

  used_passkey_challenges: {
    challenge_hash: Buffer
    expires_at: Date
  }

  push_subscriptions: {
    login_id: string
    endpoint_hash: Buffer
    endpoint: string
    p256dh: string
    auth: string
    created_at: Date
  }

  notification_choices: {
    user_id: string
    kinds: NotificationKind[]
  }
}
