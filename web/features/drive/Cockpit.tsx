import { Check, Maximize } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { Driver } from '#client/driver/driver.ts'
import { noMessage } from '#client/session/messageState.ts'
import type { MessageType } from '#contract/sessions/messages.ts'
import type { BatteryState } from '#web/device/battery.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { driveText } from '#web/text/drive.ts'
import tones from '#web/ui/board/tones.module.css'
import { useFlashClock } from '#web/ui/board/useFlashClock.ts'
import { Word } from '#web/ui/board/Word.tsx'
import { wholeNumber } from '#web/ui/forms/wholeNumber.ts'
import { useAcknowledging } from './attention/useAcknowledging.ts'
import { useAwake } from './attention/useAwake.ts'
import { useMediaButton } from './attention/useMediaButton.ts'
import { useReceipts } from './attention/useReceipts.ts'
import { useShownFor } from './attention/useShownFor.ts'
import { useSound } from './attention/useSound.ts'
import styles from './DriveScreen.module.css'
import { preflightInputOf, usePreflight } from './preflight/usePreflight.ts'
import { useConnectivity } from './reporting/useConnectivity.ts'
import { usePosition } from './reporting/usePosition.ts'
import { useFocus } from './useFocus.ts'

/** Display time of "Copy". */
const copyShownMs = 2000

/** Above this speed taps are accidental: do not offer the checks. */
const checksBelowKmh = 10

/** TEST reuses the type size of EASY. */
const testTone = 'easy'

// Only needed before the start, when there is time to load it.
const PreflightPanel = lazy(async () => ({
  default: (await import('./preflight/PreflightPanel.tsx').catch(reloadWhenReachable))
    .PreflightPanel,
}))

// Loaded in parallel without blocking: the word comes first.
const background = import('./Background.tsx')
background.catch(() => undefined)
const loaded = () => background.catch(reloadWhenReachable)
const Background = lazy(async () => ({ default: (await loaded()).Background }))
const OwnWord = lazy(async () => ({ default: (await loaded()).OwnWord }))

/** The driver's screen: message word, speed and the connection dot. */
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

  const listenToMediaButton = useMediaButton(() => acknowledge())
  function acknowledge() {
    if (!flashes || !driver.message.copy()) return
    showCopy()
    // Browsers grant the wake lock and audio only in a user gesture, so use this tap.
    awake.keepAwake()
    sound.unlock()
    listenToMediaButton()
  }

  /** Makes all requests that need a user gesture. */
  function start() {
    awake.start()
    sound.unlock()
    listenToMediaButton()
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
      data-tone={
        (type && message.colour) ??
        type?.toLowerCase() ??
        (preflight.testing ? testTone : undefined)
      }
      data-version={message.version}
      // Support prompts wait while a message is shown: see support/web/visitor.
      data-undisturbed={type === null ? undefined : ''}
    >
      <div className={styles.middle}>
        <BoardWord
          // A question is shown by `Background`, with the zones for its answers.
          type={message.ask ? null : type}
          own={message.colour !== undefined}
          driver={driver}
          version={message.version}
          flashes={flashes}
          testing={preflight.testing}
        />
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
          driver={driver}
          shown={shown}
          screen={screen}
          mayAnswer={!preflight.open && !preflight.testing}
          acknowledge={acknowledge}
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
            input={{
              ...preflightInputOf(preflight),
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

interface BoardWordProps {
  type: MessageType | null
  /** A word of the team: the stylesheet has no figures for it. */
  own: boolean
  driver: Driver
  version: number
  flashes: boolean
  testing: boolean
}

/** Text of the message, or of the test flash. */
function BoardWord({ type, own, driver, version, flashes, testing }: BoardWordProps) {
  const variant = flashes ? 'flash' : 'solid'
  // Always rendered: screen readers announce only changes of a live region that exists already.
  return (
    <div className={styles.live} role="alert">
      {type !== null && own && (
        <Suspense>
          <OwnWord key={version} driver={driver} version={version} variant={variant}>
            {type}
          </OwnWord>
        </Suspense>
      )}
      {type !== null && !own && (
        // A repeated message is a new one, even with the same word.
        <Word key={version} fit="screen" variant={variant}>
          {type}
        </Word>
      )}
      {type === null && testing && (
        <Word fit="screen" variant="flash">
          {driveText.testWord}
        </Word>
      )}
    </div>
  )
}

function Speed({ kmh }: { kmh: number | null }) {
  if (kmh === null) return <p className={`${styles.speed} ${styles.noGps}`}>{driveText.noGps}</p>
  return (
    // It changes every second: not worth recording in a support visit.
    <p className={styles.speed} data-openreplay-hidden="">
      <b>{wholeNumber(kmh)}</b>
      <span>{driveText.kmh}</span>
    </p>
  )
}
