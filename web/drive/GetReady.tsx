import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { sessionQuery } from '#web/api/queries.ts'
import { askForPosition } from '#web/device/geolocation.ts'
import { mediaButton } from '#web/device/mediaButton.ts'
import { playTone, unlockSound, wantsSound } from '#web/device/sound.ts'
import { voice } from '#web/device/voice.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { carPlate, driverName } from '#web/race/driverName.ts'
import { checksText, getReadyText as text } from '#web/text/checks.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { CheckMark } from './CheckMark.tsx'
import { foundText, repairOf } from './checkTexts.ts'
import styles from './GetReady.module.css'
import panels from './Panel.module.css'
import { Practice } from './Practice.tsx'
import {
  type CheckName,
  type Check as PhoneCheck,
  type PhoneInput,
  phoneChecks,
  thingsToDo,
} from './phoneChecks.ts'
import { hasPractised } from './practised.ts'
import { spokenSample } from './spokenForms.ts'
import { TestWord } from './TestWord.tsx'
import type { Device } from './useDevice.ts'
import { useTestFlash } from './useTestFlash.ts'
import { voiceLanguage } from './useVoice.ts'
import { VoiceSetting } from './VoiceSetting.tsx'

interface Props {
  sessionId: string
  teamId: string
  /** The phone's state, without the test flash. */
  input: PhoneInput
  device: Device
  linkOff: boolean
  /** Repeats the checks that only a tap may repeat. */
  onAgain: () => void
  /** Called when a word flashes here, and when it ends. */
  onFlash: (flashes: boolean) => void
  onDrive: () => void
}

/** Checks that a driver reads before each stint. The others appear once they have failed. */
const always: readonly CheckName[] = [
  'location',
  'awake',
  'connection',
  'test',
  'sound',
  'button',
  'voice',
  'battery',
]

/** The screen between Start and the glass: what is to do, how to answer, and Drive. Any message replaces it. */
export function GetReady(props: Props) {
  const { sessionId, teamId, device, linkOff, onAgain, onFlash, onDrive } = props
  const flash = useTestFlash(sessionId)
  const [practises, setPractises] = useState(false)
  // The server refuses a test flash without a data link.
  const input = linkOff ? props.input : { ...props.input, test: flash }
  const checks = phoneChecks(input)
  const toDo = thingsToDo(checks)
  const rest = checks.filter(({ name, light }) => light !== 'bad' && always.includes(name))
  const hasGps = checks.some(({ name, light }) => name === 'location' && light === 'good')
  const panel = usePanelFocus()
  useReadyDevice(device)
  useEffect(() => {
    onFlash(flash.isShown)
    return () => onFlash(false)
  }, [flash.isShown, onFlash])

  if (flash.isShown) return <TestWord />
  if (practises) return <Practice onFlash={onFlash} onEnd={() => setPractises(false)} />
  return (
    <section ref={panel} className={styles.ready} aria-label={text.title(0)} tabIndex={-1}>
      <header>
        <Link to={`/teams/${teamId}`} className={styles.leave} aria-label={text.leave}>
          <ChevronLeft aria-hidden />
        </Link>
        <Session sessionId={sessionId} title={text.title(toDo.length)} />
      </header>
      <div className={`${panels.scrolls} ${styles.checks}`}>
        <ul>
          {[...toDo, ...rest].map(check => (
            <Row key={check.name} {...{ check, input }}>
              <Control {...{ check, input, device }} onTest={flash.send} />
            </Row>
          ))}
        </ul>
        <p className={styles.more}>
          {toDo.length > 0 && (
            <button
              type="button"
              onClick={() => {
                onAgain()
                void playSample()
              }}
            >
              <RotateCw size={20} aria-hidden />
              {checksText.checkAgain}
            </button>
          )}
          <VoiceSetting />
          <Link to="/check">{checksText.allChecks}</Link>
        </p>
      </div>
      <div className={styles.start}>
        {linkOff ? (
          <p className={styles.linkOff}>
            <b>{dataLinkText.car}</b>
            {dataLinkText.nothingFromCar}
          </p>
        ) : (
          <dl className={styles.how}>
            <Gesture name={text.tap} meaning={text.copy} />
            <Gesture name={text.hold} meaning={text.problem} />
          </dl>
        )}
        <div className={styles.actions}>
          {!linkOff && (
            <button type="button" onClick={() => setPractises(true)}>
              {text.practise}
            </button>
          )}
          <button
            type="button"
            className={styles.drive}
            data-quiet={!hasGps || undefined}
            onClick={() => {
              device.start()
              onDrive()
            }}
          >
            {hasGps ? text.drive : text.driveWithoutGps}
          </button>
        </div>
      </div>
    </section>
  )
}

/** The car, its driver and the session, beside the title. */
function Session({ sessionId, title }: { sessionId: string; title: string }) {
  const fetched = useQuery(sessionQuery(sessionId)).data
  const session = useLiveSession(sessionId, state => state.session) ?? fetched
  return (
    <>
      {session && <b className={styles.car}>{carPlate(session)}</b>}
      <h1 aria-live="polite">
        {title}
        {session && <small>{`${driverName(session)}, ${session.name}`}</small>}
      </h1>
    </>
  )
}

interface RowProps {
  check: PhoneCheck
  input: PhoneInput
  children: ReactNode
}

function Row({ check, input, children }: RowProps) {
  const { name, light } = check
  const repair = repairOf(check, input)
  return (
    <li data-light={light}>
      <CheckMark light={light} />
      <p>
        <b>{checksText.names[name]}</b>
        {repair && <small>{checksText.inOneLine(repair.steps)}</small>}
      </p>
      <span className={styles.found}>{foundText(check, input)}</span>
      {children}
    </li>
  )
}

interface ControlProps extends Omit<RowProps, 'children'> {
  device: Device
  onTest: () => void
}

/** The one tap that acts on a check, if there is one. */
function Control({ check, input, device, onTest }: ControlProps) {
  const { name, finding } = check
  if (finding === 'askLocation')
    return (
      <button type="button" onClick={askForPosition}>
        {checksText.askForLocation}
      </button>
    )
  if (name === 'test')
    return (
      <button type="button" onClick={onTest} disabled={!input.online}>
        {text.testFlash}
      </button>
    )
  if (name === 'sound' && input.sound !== 'unsupported')
    return (
      <Toggle label={checksText.names.sound} on={input.sound !== 'off'} act={device.sound.toggle} />
    )
  if (name === 'button')
    return (
      <Toggle
        label={checksText.headsetButton}
        on={input.mediaButton !== 'off'}
        act={() => mediaButton.toggle()}
      />
    )
  if (name === 'voice')
    return (
      <Toggle
        label={checksText.names.voice}
        on={input.voice !== 'off'}
        act={() => voice.toggle(spokenSample(voiceLanguage()), voiceLanguage())}
      />
    )
  return null
}

/** A switch with the same name in both states: screen readers announce the state with it. */
function Toggle({ label, on, act }: { label: string; on: boolean; act: () => void }) {
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-label={label}
      aria-pressed={on}
      onClick={act}
    />
  )
}

function Gesture({ name, meaning }: { name: string; meaning: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {meaning}
        {hasPractised() && <Check aria-label={text.practised} strokeWidth={3} />}
      </dd>
    </div>
  )
}

/**
 * Right after a tap, such as Start, the browser grants the wake lock and the sound without another one. Otherwise each
 * tap requests what is missing: without a tap the browser would refuse them.
 */
function useReadyDevice(device: Device) {
  const keepReady = useEffectEvent(device.keepReady)
  useEffect(() => {
    if (navigator.userActivation?.isActive) keepReady()
    const listener = () => keepReady()
    addEventListener('click', listener)
    return () => removeEventListener('click', listener)
  }, [])
}

/** Plays the tone of a new message as a sample. */
async function playSample() {
  if (wantsSound() && (await unlockSound())) playTone()
}

/**
 * The tapped button is gone once the panel opens: moves the focus into the panel, and back to the screen afterwards.
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
