import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type NotificationKind, notificationKinds } from '#contract/teamEvents.ts'
import { command, read } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import {
  type PushSupport,
  pushEndpoint,
  pushSupport,
  subscribePush,
  unsubscribePush,
} from '#web/device/push.ts'
import { appText } from '#web/text/app.ts'
import { notificationsText } from '#web/text/notifications.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { DialogError, InfoDialog } from '#web/ui/Dialog.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import styles from './NotificationsDialog.module.css'

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

/** The browser could not reach its push service, or that one refused the subscription. */
class PushServiceFailed extends Error {}

/** Turns notifications on for this device, and chooses the events. */
export function NotificationsDialog({ onClose }: { onClose: () => void }) {
  const notifications = useNotifications()
  const { settings, choose } = notifications
  const { data } = settings
  return (
    <InfoDialog title={notificationsText.title} onClose={onClose}>
      <p className={typography.sub}>{notificationsText.text}</p>
      {data ? (
        <>
          <ThisDevice notifications={notifications} />
          {data.publicKey !== null && (
            <Kinds chosen={data.kinds} onChoose={kinds => choose.mutate(kinds)} />
          )}
        </>
      ) : (
        <NotLoaded
          query={settings}
          loading={notificationsText.loading}
          failed={notificationsText.failed}
          detailPx={180}
        />
      )}
    </InfoDialog>
  )
}

const obstacles: Record<Exclude<PushSupport, 'ready'>, string> = {
  denied: notificationsText.denied,
  ios: notificationsText.ios,
  'ios-old': notificationsText.iosOld,
  unsupported: notificationsText.unsupported,
}

function ThisDevice({ notifications }: { notifications: ReturnType<typeof useNotifications> }) {
  const { settings, turnOn, turnOff, test } = notifications
  const { publicKey = null, support = 'unsupported', isOn = false } = settings.data ?? {}
  if (publicKey === null) return <p>{notificationsText.notOffered}</p>
  if (support !== 'ready')
    return (
      <>
        <output>{obstacles[support]}</output>
        {support === 'denied' && (
          <Button
            variant="quiet"
            busy={settings.isFetching}
            onClick={() => void settings.refetch()}
          >
            {appText.tryAgain}
          </Button>
        )}
      </>
    )
  const error = turnOn.error ?? turnOff.error ?? test.error
  return (
    <>
      <output>
        <b>{isOn ? notificationsText.on : notificationsText.off}</b>
      </output>
      {error && <DialogError>{failureText(error)}</DialogError>}
      {isOn ? (
        <>
          {test.data && (
            <output>
              {test.data.sent ? notificationsText.testSent : notificationsText.testFailed}
            </output>
          )}
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            {notificationsText.test}
          </Button>
          <Button variant="quiet" busy={turnOff.isPending} onClick={() => turnOff.mutate()}>
            {notificationsText.turnOff}
          </Button>
        </>
      ) : (
        <Button busy={turnOn.isPending} onClick={() => turnOn.mutate(publicKey)}>
          {notificationsText.turnOn}
        </Button>
      )}
    </>
  )
}

interface KindsProps {
  chosen: readonly NotificationKind[]
  onChoose: (kinds: NotificationKind[]) => void
}

function Kinds({ chosen, onChoose }: KindsProps) {
  return (
    <fieldset className={styles.events}>
      <legend>{notificationsText.events}</legend>
      {notificationKinds.map(kind => (
        <Checkbox
          key={kind}
          label={notificationsText.kinds[kind]}
          checked={chosen.includes(kind)}
          onChange={({ target }) =>
            onChoose(
              notificationKinds.filter(each =>
                each === kind ? target.checked : chosen.includes(each),
              ),
            )
          }
        />
      ))}
      <p className={typography.sub}>{notificationsText.allDevices}</p>
    </fieldset>
  )
}

/** The notifications of this device, and the events that the person chose. */
function useNotifications() {
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
    // Serial, so that the last choice is stored last.
    scope: { id: 'notifications.choose' },
    mutationFn: (kinds: NotificationKind[]) => command('notifications.choose', { kinds }),
    onMutate: kinds => {
      void client.cancelQueries({ queryKey: settingsQuery.queryKey }, { revert: false })
      client.setQueryData(settingsQuery.queryKey, known => known && { ...known, kinds })
    },
    onError: reason =>
      toasts.error(notificationsText.notSaved, refusalText(reason), 'notifications'),
    // Settings older than a pending choice would undo it on the screen.
    onSettled: () => (client.isMutating({ mutationKey: chooseKey }) === 1 ? refresh() : undefined),
  })
  return { settings, turnOn, turnOff, test, choose }
}

/** Returns why notifications could not be turned on or off. */
function failureText(reason: Error): string {
  return reason instanceof PushServiceFailed ? notificationsText.turnOnFailed : refusalText(reason)
}
