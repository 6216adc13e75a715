import type { televisions } from '#contract/televisions.ts'
import { setLoginCookie } from '../auth/logins/loginCookie.ts'
import { meFromRow } from '../auth/people.ts'
import type { AppContext, Caller } from '../context.ts'
import { handlersOf } from '../handlers.ts'
import type { HandlersOf } from '../http/route.ts'
import { allowTelevision, findTelevision, requestCode } from './televisionCodes.ts'
import { collectLogin, listTelevisions, removeTelevision, televisionOf } from './televisions.ts'

export function televisionCalls(context: AppContext): HandlersOf<typeof televisions, Caller> {
  const { db, clock } = context
  const { done, forMembers } = handlersOf(context)
  return {
    requestCode: ({ request }) =>
      requestCode(context, { ip: request.ip, userAgent: request.headers['user-agent'] }),

    async collect({ input: { secret }, request, reply }) {
      const userAgent = request.headers['user-agent']
      const connected = await collectLogin(context, { secret, userAgent })
      if (!connected) return { login: null }
      const { user, login } = connected
      setLoginCookie(reply, context.publicUrl(), login)
      const television = await televisionOf(db, user.id)
      return {
        login: {
          user: meFromRow(user),
          expiresAt: login.expiresAt,
          ...(television && { television }),
        },
      }
    },

    find: ({ input: { code }, caller, request }) =>
      findTelevision(context, { userId: caller.userId, ip: request.ip, code }),

    allow: done(allowTelevision),
    list: forMembers((_, { teamId }) => listTelevisions(db, teamId, clock.now())),
    remove: done(removeTelevision),
  }
}
