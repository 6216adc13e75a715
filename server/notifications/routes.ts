import type { notifications } from '#contract/notifications.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext, Caller } from '../context.ts'
import { handlersOf } from '../handlers.ts'
import type { HandlersOf } from '../http/route.ts'
import { isAllowedEndpoint } from '../publicHost.ts'
import { newestEvents } from './storedEvents.ts'
import {
  chooseKinds,
  chosenKinds,
  deleteSubscription,
  storeSubscription,
  subscriptionOf,
} from './subscriptions.ts'
import type { TeamEvents } from './teamEvents.ts'

export function notificationCalls(
  context: AppContext,
  events: TeamEvents,
): HandlersOf<typeof notifications, Caller> {
  const { db, clock } = context
  return {
    async settings({ caller }) {
      const subscription = await subscriptionOf(db, caller.loginId)
      return {
        publicKey: events.sender?.keys.publicKey ?? null,
        kinds: await chosenKinds(db, caller.userId),
        endpoint: subscription?.endpoint ?? null,
      }
    },

    async choose({ input, caller }) {
      await chooseKinds(db, caller.userId, input.kinds)
      return {}
    },

    async subscribe({ input, caller }) {
      const { sender } = events
      if (!sender) throw new Refusal('not-found')
      if (!isAllowedEndpoint(input.endpoint, sender.allowLoopback))
        throw new Refusal('invalid-input', { detail: 'push-service' })
      await storeSubscription(db, caller.loginId, { ...input, now: clock.now() })
      return {}
    },

    async unsubscribe({ caller }) {
      await deleteSubscription(db, caller.loginId)
      return {}
    },

    async test({ caller }) {
      return { sent: await events.sendTest(caller.loginId) }
    },

    list: handlersOf(context).forMembers((_, { teamId }) => newestEvents(db, teamId, clock.now())),
  }
}
