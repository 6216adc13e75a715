import { useQuery } from '@tanstack/react-query'
import {
  Check as CheckIcon,
  CircleAlert,
  HeadphoneOff,
  Headphones,
  LoaderCircle,
  MessageSquareOff,
  MessageSquareText,
  Minus,
  Volume2,
  VolumeX,
} from 'lucide-react'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { sessionQuery, teamQuery } from '#web/api/queries.ts'
import { thisIos } from '#web/device/ios.ts'
import { type MediaButtonState, mediaButton } from '#web/device/mediaButton.ts'
import { voice } from '#web/device/voice.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { preflightText } from '#web/text/preflight.ts'
import styles from './PreflightPanel.module.css'
import {
  type Check,
  checksOf,
  isReady,
  type Light,
  type PreflightInput,
} from './preflightChecks.ts'
import { spokenSample } from './spokenForms.ts'
import { useBattery } from './useBattery.ts'
import { useDataLinkOff } from './useDataLinkOff.ts'
import { useVoiceSetting, voiceLanguage } from './useVoice.ts'
import { VoiceSetting } from './VoiceSetting.tsx'

interface Props {
  /** The inputs that the drive screen has already. */
  input: Omit<PreflightInput, 'mediaButton' | 'voice' | 'battery' | 'ios'>
  sessionId: string
  onTest: () => void
  onAgain: () => void
  onToggleSound: () => void
  onDrive: () => void
}

/** The checks before a stint, green or red, with what to do. Any message replaces the panel. */
export function PreflightPanel({
  input: screenInput,
  sessionId,
  onTest,
  onAgain,
  onToggleSound,
  onDrive,
}: Props) {
  const [ios] = useState(thisIos)
  const voiceState = useVoiceSetting().state
  const input = {
    ...screenInput,
    mediaButton: useMediaButtonState(),
    voice: voiceState,
    battery: useBattery(),
    ios,
  }
  const linkOff = useDataLinkOff(sessionId)
  // The server refuses a test flash too.
  const checks = checksOf(input).filter(({ name }) => name !== 'test' || !linkOff)
  const ready = isReady(checks)
  const fetched = useQuery(sessionQuery(sessionId)).data
  const session = useLiveSession(sessionId, state => state.session) ?? fetched
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
          <Line key={check.name} check={check} input={input} />
        ))}
      </ul>
      <div className={styles.actions}>
        <button type="button" onClick={onTest} disabled={!input.online || linkOff}>
          {preflightText.testFlash}
        </button>
        {input.sound !== 'unsupported' && (
          <Toggle
            label={preflightText.names.sound}
            icon={input.sound === 'off' ? <VolumeX aria-hidden /> : <Volume2 aria-hidden />}
            pressed={input.sound !== 'off'}
            onToggle={onToggleSound}
          />
        )}
        {input.mediaButton !== 'unsupported' && (
          <Toggle
            label={preflightText.headsetButton}
            icon={
              input.mediaButton === 'off' ? (
                <HeadphoneOff aria-hidden />
              ) : (
                <Headphones aria-hidden />
              )
            }
            pressed={input.mediaButton !== 'off'}
            onToggle={() => mediaButton.toggle()}
          />
        )}
        {voiceState !== 'unsupported' && (
          <Toggle
            label={preflightText.names.voice}
            icon={
              voiceState === 'off' ? (
                <MessageSquareOff aria-hidden />
              ) : (
                <MessageSquareText aria-hidden />
              )
            }
            pressed={voiceState !== 'off'}
            onToggle={() => voice.toggle(spokenSample(voiceLanguage()), voiceLanguage())}
          />
        )}
        <VoiceSetting />
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
  /** The same label in both states: screen readers announce the state with it. */
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

/**
 * The tapped button is gone once the panel opens: moves the focus into the panel, and back to the
 * screen afterwards.
 */
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

function Line({ check, input }: { check: Check; input: PreflightInput }) {
  const Icon = icons[check.light]
  return (
    <li data-light={check.light}>
      <Icon aria-label={preflightText.lights[check.light]} />
      <b>{preflightText.names[check.name]}</b>
      <span>{findingText(check, input)}</span>
    </li>
  )
}

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const percents = new Intl.NumberFormat(undefined, { style: 'percent' })

function findingText({ finding }: Check, input: PreflightInput): string {
  if (finding === 'located') {
    return preflightText.located(whole.format(Math.ceil(input.accuracyM ?? 0)))
  }
  if (finding === 'connected' || finding === 'slowConnection') {
    return preflightText[finding](whole.format(input.roundTripMs ?? 0))
  }
  if (finding === 'tested') return preflightText.tested(whole.format(input.testedMs ?? 0))
  if (finding === 'charged' || finding === 'batteryLow') {
    return preflightText[finding](percents.format((input.battery?.percent ?? 0) / 100))
  }
  return preflightText[finding]
}

function useMediaButtonState(): MediaButtonState {
  return useSyncExternalStore(
    listener => mediaButton.onState(listener),
    () => mediaButton.state,
  )
}
