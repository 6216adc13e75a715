import { Check, Maximize } from 'lucide-react'
import { lazy, type RefObject, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { BatteryState } from '#web/device/battery.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import type { Driver } from '#web/live/driver.ts'
import { noMessage } from '#web/live/messageState.ts'
import { driveText } from '#web/text/drive.ts'
import tones from '#web/ui/board/tones.module.css'
import { useFlashClock } from '#web/ui/board/useFlashClock.ts'
import { Word } from '#web/ui/board/Word.tsx'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './DriveScreen.module.css'
import { useAwake } from './useAwake.ts'
import { useConnectivity } from './useConnectivity.ts'
import { useFocus } from './useFocus.ts'
import { useMediaButton } from './useMediaButton.ts'
import { usePosition } from './usePosition.ts'
import { knownOf, usePreflight } from './usePreflight.ts'
import { useReceipts } from './useReceipts.ts'
import { useSound } from './useSound.ts'

/** How long "Copy" is seen. */
const copyShownMs = 2000

/** Above this speed taps are accidental: do not offer the checks. */
const checksBelowKmh = 10

/** A word of four letters stands best in the measures of another one. */
const testTone = 'easy'

// Only before the start, and then there is time.
const PreflightPanel = lazy(async () => ({
  default: (await import('./PreflightPanel.tsx')).PreflightPanel,
}))

// Fetched at once, but not waited for: the word comes first.
const background = import('./Background.tsx')
background.catch(() => undefined)
const Background = lazy(async () => ({
  default: (await background.catch(reloadWhenReachable)).Background,
}))

/** The word, the speed, the dot: nothing else. */
export function Cockpit({ sessionId, driver }: { sessionId: string; driver: Driver }) {
  const online = useConnectivity()
  const gps = usePosition()
  const preflight = usePreflight(sessionId)
  const [battery, setBattery] = useState<BatteryState | null>(null)
  const shown = useReceipts(driver)
  const { copied, expired } = shown
  const message = shown.message ?? noMessage
  const type = expired ? null : message.type
  const awake = useAwake()
  const [copyShown, showCopy] = useShownFor(copyShownMs)
  const flashes = type !== null && !copied
  useFlashClock(flashes || preflight.testing || !online, message.version)
  const sound = useSound(shown)

  const hearMediaButton = useMediaButton(() => acknowledge())
  function acknowledge() {
    if (!flashes || !driver.message.copy()) return
    showCopy()
    // A tap is what browsers want before they keep a screen awake or make a sound: this one will do.
    awake.keepAwake()
    sound.unlock()
    hearMediaButton()
  }

  /** Whatever a browser gives only in a tap is asked for in this one. */
  function start() {
    awake.start()
    sound.unlock()
    hearMediaButton()
    preflight.start()
  }
  const screen = useAcknowledging(message.version, acknowledge)
  useFocus(screen)
  const slow = (gps.reading?.speedKmh ?? 0) < checksBelowKmh
  const offer = awake.offer ?? (preflight.started || !slow ? null : driveText.checkPhone)
  const closePreflight = useEffectEvent(preflight.close)
  useEffect(() => {
    if (type !== null) closePreflight()
  }, [type])

  return (
    <main
      ref={screen}
      className={`${styles.drive} ${tones.toned}`}
      aria-label={driveText.screen}
      tabIndex={-1}
      data-tone={type?.toLowerCase() ?? (preflight.testing ? testTone : undefined)}
      data-version={message.version}
      // What changes every second is nothing to record.
      data-openreplay-hidden=""
      // Whoever wants something of the driver waits: see web/features/support.
      data-undisturbed={type === null ? undefined : ''}
    >
      <div className={styles.middle}>
        {/* Readers hear what comes into a place that they know. */}
        <div className={styles.said} role="alert">
          {type !== null && (
            // A message that comes again is a new one, also when the word is the same.
            <Word key={message.version} fit="screen" look={flashes ? 'flash' : 'solid'}>
              {type}
            </Word>
          )}
          {type === null && preflight.testing && (
            <Word fit="screen" look="flash">
              {driveText.testWord}
            </Word>
          )}
        </div>
        <Speed kmh={gps.reading?.speedKmh ?? null} />
      </div>
      <p className={styles.line} data-online={online}>
        {online ? driveText.online : driveText.offline}
      </p>
      <output className={styles.copy}>
        {copyShown && (
          <>
            <Check size={28} strokeWidth={3} aria-hidden />
            {driveText.copy}
          </>
        )}
      </output>
      <Suspense>
        <Background
          sessionId={sessionId}
          gps={gps}
          mayLeave={type === null && !preflight.open && !preflight.testing}
          onBattery={setBattery}
        />
      </Suspense>
      {type === null && !copyShown && !preflight.open && offer !== null && (
        <button type="button" className={styles.start} onClick={start}>
          <span>
            <Maximize size={20} aria-hidden />
            {offer}
          </span>
        </button>
      )}
      {type === null && preflight.open && !preflight.testing && (
        <Suspense>
          <PreflightPanel
            known={{
              ...knownOf(preflight),
              gps: gps.state,
              accuracyM: gps.reading?.accuracyM ?? null,
              awake: awake.state,
              sound: sound.state,
              online,
              battery,
            }}
            sessionId={sessionId}
            onTest={preflight.test}
            onAgain={start}
            onToggleSound={sound.toggle}
            onDrive={preflight.close}
          />
        </Suspense>
      )}
    </main>
  )
}

function Speed({ kmh }: { kmh: number | null }) {
  if (kmh === null) return <p className={`${styles.speed} ${styles.noGps}`}>{driveText.noGps}</p>
  return (
    <p className={styles.speed}>
      <b>{wholeNumber(kmh)}</b>
      <span>{driveText.kmh}</span>
    </p>
  )
}

/** True for a while each time it is asked for. */
function useShownFor(durationMs: number): [boolean, () => void] {
  const [count, setCount] = useState(0)
  const [over, setOver] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setOver(count), durationMs)
    return () => clearTimeout(timer)
  }, [count, durationMs])
  return [count > over, () => setCount(count + 1)]
}

/**
 * Any tap on the screen acknowledges, and so do Enter and Space, as a button on the steering wheel
 * sends them. A finger that came down on one version does not acknowledge the next one. Call the
 * result's element the screen.
 */
function useAcknowledging(version: number, acknowledge: () => void): RefObject<HTMLElement | null> {
  const screen = useRef<HTMLElement>(null)
  const touched = useRef<number | null>(null)
  const onDown = useEffectEvent(() => {
    touched.current = version
  })
  const onTap = useEffectEvent((event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('button')) return
    // Screen readers tap without a finger.
    const isOfThis = touched.current === null || touched.current === version
    touched.current = null
    if (isOfThis) acknowledge()
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.repeat || (event.key !== 'Enter' && event.key !== ' ')) return
    // On the button they press the button.
    if (event.target instanceof HTMLButtonElement) return
    event.preventDefault()
    acknowledge()
  })
  useEffect(() => {
    const element = screen.current
    const down = () => onDown()
    const tap = (event: MouseEvent) => onTap(event)
    const key = (event: KeyboardEvent) => onKey(event)
    element?.addEventListener('pointerdown', down)
    element?.addEventListener('click', tap)
    window.addEventListener('keydown', key)
    return () => {
      element?.removeEventListener('pointerdown', down)
      element?.removeEventListener('click', tap)
      window.removeEventListener('keydown', key)
    }
  }, [])
  return screen
}
