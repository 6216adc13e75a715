import { MonitorSmartphone, RadioTower, Smartphone } from 'lucide-react'
import type { SignedInDevice } from '#contract/auth.ts'
import type { DeviceScope } from '#contract/shared/scopes.ts'
import { profileText } from '#web/text/profile.ts'
import { Button } from '#web/ui/Button.tsx'
import { day, dayAndTime } from '#web/ui/dates.ts'
import { Row } from '#web/ui/Rows.tsx'
import { Tag } from '#web/ui/Tag.tsx'
import { deviceName } from './deviceName.ts'

interface Props {
  login: SignedInDevice
  busy: boolean
  onEnd: () => void
}

/** A browser or device that is signed in as this user. */
export function DeviceRow({ login, busy, onEnd }: Props) {
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

const scopeText: Record<DeviceScope, string> = {
  drive: profileText.mayDrive,
  read: profileText.mayRead,
  send: profileText.maySend,
  timing: profileText.mayTime,
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
