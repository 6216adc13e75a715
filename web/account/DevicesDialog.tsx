import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SignedInDevice } from '#contract/auth.ts'
import { useMe } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { profileText } from '#web/text/profile.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog, FormDialog } from '#web/ui/Dialog.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { Rows } from '#web/ui/Rows.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { Stack } from '#web/ui/Wrap.tsx'
import { DeviceRow } from './DeviceRow.tsx'
import { deviceName } from './deviceName.ts'
import { loginsQuery } from './loginsQuery.ts'
import { TokenDialog } from './TokenDialog.tsx'
import { useEndLogins } from './useEndLogins.ts'

interface Props {
  open: boolean
  onClose: () => void
}

/** The user's logins, with buttons to end them. */
export function DevicesDialog({ open, onClose }: Props) {
  const hasAddress = useMe().email !== null
  const [creating, setCreating] = useState(false)
  return (
    <FormDialog open={open} title={profileText.devices} onClose={onClose}>
      <Stack>
        <p className={typography.sub}>{profileText.devicesText}</p>
        <Devices />
        {hasAddress && (
          <Button variant="quiet" onClick={() => setCreating(true)}>
            {profileText.newToken}
          </Button>
        )}
        <Button variant="quiet" onClick={onClose}>
          {profileText.close}
        </Button>
      </Stack>
      {creating && <TokenDialog onClose={() => setCreating(false)} />}
    </FormDialog>
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
  if (!logins.data) {
    return logins.error ? (
      <LoadFailed
        title={profileText.devicesFailed}
        message={refusalText(logins.error)}
        retryLabel={appText.tryAgain}
        retrying={logins.isFetching}
        onRetry={() => void logins.refetch()}
      />
    ) : (
      <SkeletonRows label={profileText.devicesLoading} detailPx={180} />
    )
  }
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
        cancelLabel={profileText.cancel}
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
