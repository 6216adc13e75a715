import { ChevronLeft, Eye, Map as MapIcon, MessageSquareText, Wifi, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Person } from '#contract/users.ts'
import { personName } from '#web/race/driverName.ts'
import { messageText } from '#web/text/message.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './LiveHeader.module.css'

export type View = 'message' | 'map'

interface Props {
  backTo: string
  /** The number of the car; null if the session has none, or while loading. */
  car: string | null
  /** Null while loading. */
  driver: string | null
  /** The end of `driver` that a narrow screen shows beside the number of a car. */
  lastName: string
  session: string | null
  /** The other people who watch this session. */
  others: readonly Person[]
  view: View
  onView: (view: View) => void
  /** Null while loading; undefined without a driver. */
  online: boolean | null | undefined
}

/** Car, driver and session, the choice of view, and whether the driver is online. */
export function LiveHeader(props: Props) {
  const { backTo, car, driver, lastName, session, others, view, onView, online } = props
  return (
    <header className={styles.bar}>
      <Link className={styles.back} to={backTo} aria-label={messageText.backToTeam}>
        <ChevronLeft aria-hidden />
      </Link>
      <div className={styles.who}>
        <h1 tabIndex={-1}>
          {car !== null && (
            <span className={styles.plate}>
              <span className={typography.hidden}>{messageText.car}</span>
              {car}
            </span>
          )}
          <span className={styles.names}>
            <Names {...{ driver, lastName }} session={session && withoutCar(session, car)} />
          </span>
        </h1>
        {others.length > 0 && <Watchers others={others} />}
      </div>
      <fieldset className={styles.views} aria-label={messageText.view}>
        <ViewButton
          label={messageText.message}
          on={view === 'message'}
          onPress={() => onView('message')}
        >
          <MessageSquareText aria-hidden />
        </ViewButton>
        <ViewButton label={messageText.map} on={view === 'map'} onPress={() => onView('map')}>
          <MapIcon aria-hidden />
        </ViewButton>
      </fieldset>
      {online !== undefined && <DriverIcon online={online} />}
    </header>
  )
}

/** Returns the name of a session without the car at its beginning, which is beside it as a plate. */
function withoutCar(session: string, car: string | null): string {
  const beginning = `${messageText.car}${car}, `
  return session.startsWith(beginning) ? session.slice(beginning.length) : session
}

interface ViewButtonProps {
  label: string
  on: boolean
  onPress: () => void
  children: ReactNode
}

function ViewButton({ label, on, onPress, children }: ViewButtonProps) {
  return (
    <button type="button" aria-pressed={on} aria-label={label} onClick={onPress}>
      {children}
      <span aria-hidden>{label}</span>
    </button>
  )
}

function DriverIcon({ online }: { online: boolean | null }) {
  const Icon = online ? Wifi : WifiOff
  return (
    <span className={styles.net} data-online={online ?? undefined}>
      {online === null ? (
        <Skeleton widthPx={28} heightPx={28} />
      ) : (
        <Icon
          size={28}
          strokeWidth={2.5}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not a picture file
          role="img"
          aria-label={online ? messageText.driverOnline : messageText.driverOffline}
        />
      )}
    </span>
  )
}

function Names({
  driver,
  lastName,
  session,
}: Pick<Props, 'driver' | 'lastName'> & { session: string | null }) {
  if (driver === null) return <LoadingNames />
  const first = driver.endsWith(lastName) ? driver.slice(0, -lastName.length) : ''
  return (
    <>
      <b>
        {first && <span className={styles.first}>{first}</span>}
        {driver.slice(first.length)}
      </b>
      {session !== null && <small>{session}</small>}
    </>
  )
}

function Watchers({ others }: { others: readonly Person[] }) {
  const names = others.map(person => person.firstName ?? personName(person))
  return (
    <p className={styles.watchers}>
      <Eye aria-hidden />
      <span className={typography.hidden}>{messageText.watching}</span>
      <span>{messageText.watchers(names)}</span>
    </p>
  )
}

function LoadingNames() {
  return (
    <>
      <b>
        <span className={typography.hidden}>{messageText.loadingDriver}</span>
        <Skeleton widthPx={136} heightPx={22} />
      </b>
      <small>
        <Skeleton widthPx={92} heightPx={14} />
      </small>
    </>
  )
}
