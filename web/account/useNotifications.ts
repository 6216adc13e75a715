import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { NotificationKind } from '#contract/teamEvents.ts'
import { command, read } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { pushEndpoint, pushSupport, subscribePush, unsubscribePush } from '#web/device/push.ts'
import { notificationsText } from '#web/text/notifications.ts'
import { useToasts } from '#web/ui/toasts.ts'

const settingsQuery = queryOptions({
  queryKey: ['notifications.settings'],
  queryFn: async ({ signal }) => {
    const settings = await read('notifications.settings', {}, { signal })
    const endpoint = await pushEndpoint()
    const isOn = endpoint !== null && endpoint === settings.endpoint
    return { ...settings, isOn, support: pushSupport() }
  },
  staleTime: 0,
  gcTime: 0,
})

const chooseKey = ['notifications.choose']

/** The notifications of this device, and the events that the person chose. */
export function useNotifications() {
  const client = useQueryClient()
  const toasts = useToasts()
  const settings = useQuery(settingsQuery)
  const refresh = () => client.invalidateQueries({ queryKey: settingsQuery.queryKey })

  const turnOn = useMutation({
    mutationFn: async (publicKey: string) => {
      const subscription = await subscribePush(publicKey).catch((reason: unknown) => {
        reportError(reason)
        throw new PushServiceFailed()
      })
      if (subscription) await command('notifications.subscribe', subscription)
    },
    onSettled: refresh,
  })
  const turnOff = useMutation({
    mutationFn: async () => {
      await command('notifications.unsubscribe', {})
      await unsubscribePush()
    },
    onSettled: refresh,
  })
  const test = useMutation({ mutationFn: () => command('notifications.test', {}) })
  const choose = useMutation({
    mutationKey: chooseKey,
    // One after the other: the last choice is stored last.
    scope: { id: 'notifications.choose' },
    mutationFn: (kinds: NotificationKind[]) => command('notifications.choose', { kinds }),
    onMutate: kinds => {
      void client.cancelQueries({ queryKey: settingsQuery.queryKey }, { revert: false })
      client.setQueryData(settingsQuery.queryKey, known => known && { ...known, kinds })
    },
    onError: reason =>
      toasts.error(notificationsText.notSaved, refusalText(reason), 'notifications'),
    // Settings from before a choice that still waits would undo it on the screen.
    onSettled: () => (client.isMutating({ mutationKey: chooseKey }) === 1 ? refresh() : undefined),
  })
  return { settings, turnOn, turnOff, test, choose }
}

/** The browser could not reach its push service, or that one refused the subscription. */
class PushServiceFailed extends Error {}

/** Returns why notifications could not be turned on or off. */
export function failureText(reason: Error): string {
  return reason instanceof PushServiceFailed ? notificationsText.turnOnFailed : refusalText(reason)
}
