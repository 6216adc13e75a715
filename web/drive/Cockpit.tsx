import { Check, Maximize } from 'lucide-react'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { noMessage } from '#client/channel/messageState.ts'
import type { Driver } from '#client/driver/driver.ts'
import type { BatteryState } from '#web/device/battery.ts'
import { driveText } from '#web/text/drive.ts'
import tones from '#web/ui/board/tones.module.css'
import { useFlashClock } from '#web/ui/board/useFlashClock.ts'
import { BoardWord } from './BoardWord.tsx'
import styles from './DriveScreen.module.css'
import { Background, PreflightPanel } from './lazyParts.ts'
import { Speed } from './Speed.tsx'
import { useAcknowledging } from './useAcknowledging.ts'
import { useAwake } from './useAwake.ts'
import { useConnectivity } from './useConnectivity.ts'
import { useFocus } from './useFocus.ts'
import { useMediaButton } from './useMediaButton.ts'
import { useGps, usePosition } from './usePosition.ts'
import { preflightInputOf, usePreflight } from './usePreflight.ts'
import { useReceipts } from './useReceipts.ts'
import { useShownFor } from './useShownFor.ts'
import { useSound } from './useSound.ts'

/** Display time of "Copy". */
const copyShownMs = 2000

/** Above this speed taps are accidental: do not offer the checks. */
const checksBelowKmh = 10

/** TEST reuses the type size of EASY. */
const testTone = 'easy'

/** The driver's screen: message word, speed and the connection dot. */
export function Cockpit({ sessionId, driver }: { sessionId: string; driver: Driver }) {
  const online = useConnectivity()
  const gps = usePosition()
  const preflight = usePreflight(sessionId)
  const gpsState = useGps(gps, ({ state }) => state)
  // Renders with each reading only while the checks are open, which show its accuracy.
  const checked = useGps(gps, ({ reading }) => (preflight.open ? reading : null))
  const [battery, setBattery] = useState<BatteryState | null>(null)
  const shown = useReceipts(driver)
  const { copied, isWithheld } = shown
  const message = shown.message ?? noMessage
  const type = isWithheld ? null : message.type
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
  const slow = useGps(gps, ({ reading }) => (reading?.speedKmh ?? 0) < checksBelowKmh)
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
        <Speed gps={gps} />
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
              gps: gpsState,
              accuracyM: checked?.accuracyM ?? null,
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
