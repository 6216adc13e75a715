import { useQuery } from '@tanstack/react-query'
import {
  Check as CheckIcon,
  CircleAlert,
  HeadphoneOff,
  Headphones,
  LoaderCircle,
  Minus,
  Volume2,
  VolumeX,
} from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { sessionQuery, teamQuery } from '#web/api/queries.ts'
import { thisIos } from '#web/device/ios.ts'
import { mediaButton } from '#web/device/mediaButton.ts'
import { preflightText } from '#web/text/preflight.ts'
import styles from './PreflightPanel.module.css'
import { type Check, checksOf, isReady, type Known, type Light } from './preflightChecks.ts'
import { useMediaButtonState } from './useMediaButtonState.ts'

interface Props {
  /** What the drive screen knows anyway. */
  known: Omit<Known, 'mediaButton' | 'ios'>
  sessionId: string
  onTest: () => void
  onAgain: () => void
  onToggleSound: () => void
  onDrive: () => void
}

/** Everything that a stint depends on, green or red, with what to do. It gives way to any message. */
export function PreflightPanel({
  known: knownByScreen,
  sessionId,
  onTest,
  onAgain,
  onToggleSound,
  onDrive,
}: Props) {
  const [ios] = useState(thisIos)
  const known = { ...knownByScreen, mediaButton: useMediaButtonState(), ios }
  const checks = checksOf(known)
  const ready = isReady(checks)
  const session = useQuery(sessionQuery(sessionId)).data
  const team = useQuery({
    ...teamQuery(session?.teamId ?? ''),
    enabled: session !== undefined,
  }).data
  const panel = usePanelFocus()
  return (
    <section ref={panel} className={styles.panel} aria-label={preflightText.title} tabIndex={-1}>
      <header>
        <h2>{session && preflightText.inTeam(session.name, team?.name ?? '')}</h2>
        <output data-ready={ready}>{ready ? preflightText.ready : preflightText.notReady}</output>
      </header>
      <ul>
        {checks.map(check => (
          <Line key={check.name} check={check} known={known} />
        ))}
      </ul>
      <div className={styles.actions}>
        <button type="button" onClick={onTest} disabled={!known.online}>
          {preflightText.testFlash}
        </button>
        {known.sound !== 'unsupported' && (
          <Toggle
            label={preflightText.names.sound}
            icon={known.sound === 'off' ? <VolumeX aria-hidden /> : <Volume2 aria-hidden />}
            pressed={known.sound !== 'off'}
            onToggle={onToggleSound}
          />
        )}
        {known.mediaButton !== 'unsupported' && (
          <Toggle
            label={preflightText.headsetButton}
            icon={
              known.mediaButton === 'off' ? (
                <HeadphoneOff aria-hidden />
              ) : (
                <Headphones aria-hidden />
              )
            }
            pressed={known.mediaButton !== 'off'}
            onToggle={() => mediaButton.toggle()}
          />
        )}
        {!ready && (
          <button type="button" onClick={onAgain}>
            {preflightText.checkAgain}
          </button>
        )}
        <button type="button" className={styles.drive} onClick={onDrive}>
          {preflightText.drive}
        </button>
      </div>
    </section>
  )
}

interface ToggleProps {
  /** The same in either state: it is the state that is read out with it. */
  label: string
  icon: ReactNode
  pressed: boolean
  onToggle: () => void
}

function Toggle({ label, icon, pressed, onToggle }: ToggleProps) {
  return (
    <button type="button" onClick={onToggle} aria-pressed={pressed}>
      {icon}
      {label}
    </button>
  )
}

/** Where the tap was that opened it there is nothing any more: the focus goes in, and back to the screen. */
function usePanelFocus(): RefObject<HTMLElement | null> {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const screen = panel.current?.closest('main')
    panel.current?.focus({ preventScroll: true })
    return () => screen?.focus({ preventScroll: true })
  }, [])
  return panel
}

const icons = {
  good: CheckIcon,
  bad: CircleAlert,
  waiting: LoaderCircle,
  unknown: Minus,
} satisfies Record<Light, unknown>

function Line({ check, known }: { check: Check; known: Known }) {
  const Icon = icons[check.light]
  return (
    <li data-light={check.light}>
      <Icon aria-label={preflightText.lights[check.light]} />
      <b>{preflightText.names[check.name]}</b>
      <span>{findingText(check, known)}</span>
    </li>
  )
}

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const percents = new Intl.NumberFormat(undefined, { style: 'percent' })

function findingText({ finding }: Check, known: Known): string {
  if (finding === 'located') {
    return preflightText.located(whole.format(Math.ceil(known.accuracyM ?? 0)))
  }
  if (finding === 'connected' || finding === 'slowLine') {
    return preflightText[finding](whole.format(known.roundTripMs ?? 0))
  }
  if (finding === 'tested') return preflightText.tested(whole.format(known.testedMs ?? 0))
  if (finding === 'charged' || finding === 'batteryLow') {
    return preflightText[finding](percents.format((known.battery?.percent ?? 0) / 100))
  }
  return preflightText[finding]
}
