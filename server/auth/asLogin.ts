import type { Login } from '#contract/auth.ts'
import type { EpochMs } from '#contract/ids.ts'
import type { AppContext } from '../context.ts'
import { meFromRow, type UserRow } from './people.ts'

/** The response of a sign-in. */
export function asLogin({ config }: AppContext, { user, login }: LoginOf): Login {
  const support = config.support !== undefined && !user.is_anonymous
  return {
    user: meFromRow(user),
    expiresAt: login.expiresAt,
    ...(support && { support: true as const }),
  }
}

interface LoginOf {
  user: UserRow
  login: { expiresAt: EpochMs }
}
