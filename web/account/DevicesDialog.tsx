import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone, RadioTower, Smartphone } from 'lucide-react'
import { useState } from 'react'
import type { SignedInDevice } from '#contract/auth.ts'
import type { DeviceScope } from '#contract/shared/scopes.ts'
import { command } from '#web/api/call.ts'
import { useMe } from '#web/api/login.ts'
import { appText } from '#web/text/app.ts'
import { profileText } from '#web/text/profile.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog, InfoDialog } from '#web/ui/Dialog.tsx'
import { day, dayAndTime } from '#web/ui/dates.ts'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { Tag } from '#web/ui/Tag.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { deviceName } from './deviceName.ts'
import { loginsQuery } from './loginsQuery.ts'
import { TokenDialog } from './TokenDialog.tsx'

const scopeText: Record<DeviceScope, string> = {
  drive: profileText.mayDrive,
  read: profileText.mayRead,
  send: profileText.maySend,
  timing: profileText.mayTime,
}

/** The user's logins, with buttons to end them. */
export function DevicesDialog({ onClose }: { onClose: () => void }) {
  const { kind } = useMe()
  const [creating, setCreating] = useState(false)
  return (
    <InfoDialog title={profileText.devices} onClose={onClose}>
      <p className={typography.sub}>{profileText.devicesText}</p>
      <Devices />
      {kind === 'account' && (
        <Button variant="quiet" onClick={() => setCreating(true)}>
          {profileText.newToken}
        </Button>
      )}
      {creating && <TokenDialog onClose={() => setCreating(false)} />}
    </InfoDialog>
  )
}

/** The logins to end: a single one, all other browsers, or all other browsers and devices. */
type Ending = SignedInDevice | 'browsers' | 'all'

function Devices() {
  const logins = useQuery(loginsQuery)
  const [ending, setEnding] = useState<Ending | null>(null)
  const end = useEndLogins()
  function confirm() {
    if (ending === 'browsers' || ending === 'all') end.others.mutate(ending === 'all')
    else if (ending) end.one.mutate(ending)
    setEnding(null)
  }
  if (!logins.data)
    return (
      <NotLoaded
        query={logins}
        loading={profileText.devicesLoading}
        failed={profileText.devicesFailed}
        detailPx={180}
      />
    )
  const others = logins.data.filter(({ isThis }) => !isThis)
  return (
    <>
      <Rows label={profileText.devices}>
        {logins.data.map(login => (
          <DeviceRow
            key={login.id}
            login={login}
            busy={end.one.isPending && end.one.variables.id === login.id}
            onEnd={() => setEnding(login)}
          />
        ))}
      </Rows>
      {others.some(({ device }) => device === null) && (
        <Button variant="danger" busy={end.others.isPending} onClick={() => setEnding('browsers')}>
          {profileText.endOthers}
        </Button>
      )}
      {others.some(({ device }) => device !== null) && (
        <Button variant="danger" busy={end.others.isPending} onClick={() => setEnding('all')}>
          {profileText.endAll}
        </Button>
      )}
      <ConfirmDialog
        open={ending !== null}
        title={ending === null ? '' : titleOf(ending)}
        text={profileText.endText}
        cancelLabel={appText.cancel}
        confirmLabel={profileText.signOut}
        onCancel={() => setEnding(null)}
        onConfirm={confirm}
      />
    </>
  )
}

function titleOf(ending: Ending): string {
  if (ending === 'browsers') return profileText.endOthersTitle
  if (ending === 'all') return profileText.endAllTitle
  return profileText.endTitle(deviceName(ending))
}

/** Ends other logins of this user, then refetches the list, even after a failure. */
function useEndLogins() {
  const client = useQueryClient()
  const toasts = useToasts()
  const shared = {
    failed: profileText.endFailed,
    onSettled: () => client.invalidateQueries({ queryKey: loginsQuery.queryKey }),
  }
  const one = useCommand({
    ...shared,
    send: ({ id }: SignedInDevice) => command('auth.endLogin', { loginId: id }),
    onSuccess: (_answer, login) =>
      toasts.success(appText.success, profileText.ended(deviceName(login))),
  })
  const others = useCommand({
    ...shared,
    send: (devices: boolean) => command('auth.signOutEverywhere', { devices }),
    onSuccess: ({ ended }) => toasts.success(appText.success, profileText.endedCount(ended)),
  })
  return { one, others }
}

interface Props {
  login: SignedInDevice
  busy: boolean
  onEnd: () => void
}

/** A browser or device that is signed in as this user. */
function DeviceRow({ login, busy, onEnd }: Props) {
  const name = deviceName(login)
  return (
    <Row
      plate={<Icon login={login} />}
      title={
        <>
          {name} {login.isThis && <Tag>{profileText.thisDevice}</Tag>}
        </>
      }
      detail={[usedAt(login), ...(login.scopes ?? []).map(scope => scopeText[scope])].join(' · ')}
      choices={
        !login.isThis && (
          <Button variant="quiet" busy={busy} aria-label={profileText.endOne(name)} onClick={onEnd}>
            {profileText.signOut}
          </Button>
        )
      }
    />
  )
}

function usedAt({ isThis, createdAt, lastUsedAt }: SignedInDevice): string {
  return isThis
    ? profileText.signedInAt(day.format(createdAt))
    : profileText.usedAt(dayAndTime.format(lastUsedAt), day.format(createdAt))
}

/** Decoration: the name next to it has the same information. */
function Icon({ login: { device, system } }: Pick<Props, 'login'>) {
  if (device !== null) return <RadioTower aria-hidden />
  const isPhone = system === 'Android' || system === 'iPhone'
  return isPhone ? <Smartphone aria-hidden /> : <MonitorSmartphone aria-hidden />
}
