import { Keyboard, KeyboardOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { MessageType } from '#contract/messages.ts'
import { code60, isAskable } from '#contract/shared/messageTypes.ts'
import { useLost } from '#web/live/useLost.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { laneName } from '#web/message/laneName.ts'
import { isRealCar, type Lane } from '#web/message/lanes.ts'
import {
  driverLetter,
  gotItLetter,
  letterOf,
  litresLetter,
  messageOf,
  moreLetter,
  plates,
} from '#web/message/letters.ts'
import { pressGotIt } from '#web/message/useGotIt.ts'
import { useLetters } from '#web/message/useLetters.ts'
import { useLitMessage } from '#web/message/useLitMessage.ts'
import { usePress } from '#web/message/useSendMessage.ts'
import { mayGoToAll, sendToAllTopic, useSendToAll } from '#web/message/useSendToAll.ts'
import { fuelText } from '#web/text/fuel.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import { type HandField, handFieldOf } from '#web/timing/handLetters.ts'
import { type Coloured, toneOf } from '#web/ui/board/tone.ts'
import tones from '#web/ui/board/tones.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { withoutFocus } from '#web/ui/withoutFocus.ts'
import { carMessage } from './carMessage.ts'
import { KeysHelp } from './KeysHelp.tsx'
import { MoreKey } from './MoreKey.tsx'
import styles from './SendKeys.module.css'
import { useLanePhones } from './useLanePhones.ts'
import type { CarLane } from './useLanes.ts'
import { allForMs, type Running } from './useWallChoice.ts'
import { useWallKeys, type WallKeys } from './useWallKeys.ts'

/** After an order, all cars stay chosen for the time of a double tap: its second one means all, too. */
const allAfterMs = 700

/** All cars, as the target of letters. */
const allTarget = 'all'

interface Props extends Omit<WallKeys, 'onLetter' | 'onHelp'> {
  lane: CarLane
  /** All lanes of the wall. */
  lanes: readonly Lane[]
  /** The time for which all cars are chosen; null if one car is. */
  all: Running | null
  /** The lane whose problem the letter of "Got it" gets; undefined without a problem. */
  problemLane: string | undefined
  /** Chooses all cars for this time; 0 ends it. */
  onAll: (forMs: number) => void
  /** Opens the entry by hand of the chosen car. False: it drives no race. */
  onByHand: (field: HandField) => boolean
  /** Opens the litres of the chosen car. False: it is no car of the team. */
  onLitres: () => boolean
  /** Other actions for the chosen car. */
  children?: ReactNode
}

/**
 * The nine keys that send to the chosen car, and More. They act at once, as the plates of the pad do. While all cars are
 * chosen, the keys whose message can go to all send it to each.
 */
export function SendKeys(props: Props) {
  const { lane, lanes, all, problemLane, onAll, onByHand, onLitres, children, ...keys } = props
  const isAll = all !== null
  const { session } = lane
  const name = laneName(session)
  const { message, dataLink } = useLiveSession(session.id, state => state.session) ?? session
  const shown = carMessage(lane, useLanePhones(lane.phones))
  const lit = useLitMessage(session.id, shown.message, shown.answers, lane.race)
  const cars = lanes.filter(isRealCar)
  const toOne = usePress(session.id, message)
  const { toAll, refuse } = useAllCars(cars, onAll)
  const toasts = useToasts()
  const send = ({ type, colour }: Coloured, ask: boolean) =>
    isAll ? toAll(type, ask) : toOne(type, { ask, colour, toCar: true })
  const [isHelpOpen, setHelpOpen] = useState(false)
  /** The car for which the sheet was opened: it must not stay open for another car. */
  const [moreOpenFor, setMoreOpenFor] = useState<string | null>(null)
  // An offline wall sends nothing: its keys stay in their places.
  const isLost = useLost()
  const whyNot = isLost ? wallText.offlineWall : dataLink || isAll ? null : wallText.linkIsOff
  const isDisabled = whyNot !== null
  const letters = useLetters({
    target: isAll ? allTarget : lane.id,
    disabled: isDisabled,
    onSend: (type, ask) => send({ type }, ask),
    onMore: () => (isAll ? refuse(wallText.another) : setMoreOpenFor(lane.id)),
  })
  const [isOn, setOn] = useWallKeys({
    ...keys,
    onLetter(letter, isShifted) {
      const key = isShifted ? null : letter.toUpperCase()
      if (whyNot !== null && (isLost ? isWallLetter(letter) : messageOf(letter) !== undefined)) {
        toasts.error(wallText.notToAll, whyNot, sendToAllTopic)
        return true
      }
      if (key === gotItLetter) return pressGotIt(problemLane)
      if (key === driverLetter) return !isAll && pressKey(lane.id, key)
      if (key === litresLetter) {
        if (isAll) refuse(fuelText.amount)
        else if (!onLitres()) toasts.error(wallText.keyIgnored, wallText.litresNeedCar)
        return true
      }
      const field = key === null ? undefined : handFieldOf(key)
      if (field) return !isAll && onByHand(field)
      return letters.press(letter, isShifted)
    },
    onHelp: () => setHelpOpen(true),
  })
  const to = isAll ? wallText.sendToAll(cars.length) : wallText.sendToCar(name.full)
  return (
    <footer className={styles.keys} data-keys-off={!isOn || undefined}>
      <SendTo {...{ session, all, isOn, onAll }} hasAll={cars.length > 1} />
      {/* The focus leaves a key when another car is chosen: Space must not send to that one. */}
      <fieldset
        key={isAll ? allTarget : lane.id}
        className={styles.plates}
        disabled={isDisabled}
        aria-label={to}
      >
        {plates.map(type => (
          <Plate
            key={type ?? 'clear'}
            {...{ type, isOn }}
            isCurrent={!isAll && type !== null && type === lit?.type}
            isArmed={type === 'Abort' && letters.isArmed}
            isDisabled={isAll && !mayGoToAll(type)}
            onPress={() => send({ type }, false)}
          />
        ))}
        {isAll ? (
          <Plate {...{ isOn }} type={code60} onPress={() => send({ type: code60 }, false)} />
        ) : (
          <MoreKey
            key={lane.id}
            teamId={session.teamId}
            sessionId={session.id}
            car={name.full}
            current={lit}
            disabled={!dataLink}
            hasShortcut={isOn}
            isOpen={moreOpenFor === lane.id}
            onOpen={open => setMoreOpenFor(open ? lane.id : null)}
            onSend={send}
          />
        )}
      </fieldset>
      {isAll ? <p className={styles.hint}>{wallText.allHint}</p> : children}
      <KeySwitches isOn={isOn} onSwitch={setOn} onHelp={() => setHelpOpen(true)} />
      <KeysHelp open={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </footer>
  )
}

/** Returns how to send to all cars, which stay chosen for a double tap, and the notice that something is for one car only. */
function useAllCars(cars: readonly Lane[], onAll: Props['onAll']) {
  const press = useSendToAll(cars)
  const toasts = useToasts()
  const refuse = (what: string) =>
    toasts.error(wallText.notToAll, wallText.forOneCar(what), sendToAllTopic)
  const toAll = (type: MessageType | null, ask: boolean) => {
    if (ask) return refuse(wallText.question)
    if (!mayGoToAll(type)) return refuse(messageText.plate(type))
    onAll(allAfterMs)
    press(type)
  }
  return { toAll, refuse }
}

interface ToProps extends Pick<Props, 'all' | 'onAll'> {
  /** The session of the chosen car. */
  session: Lane['session']
  /** True if there are several cars. */
  hasAll: boolean
  /** Keyboard shortcuts are on. */
  isOn: boolean
}

/** The chosen car, or all of them with a bar that shrinks while they stay chosen. */
function SendTo({ session, all, onAll, hasAll, isOn }: ToProps) {
  const isAll = all !== null
  return (
    <div className={styles.to}>
      <p>
        <span>{wallText.sendTo}</span>
        <b data-practice={!isAll && session.practice}>
          {isAll ? wallText.all : laneName(session).plate}
          {all && (
            <i key={all.number} style={{ animationDuration: `${all.forMs}ms` }} aria-hidden />
          )}
        </b>
      </p>
      {hasAll && (
        <button
          type="button"
          className={styles.switch}
          aria-pressed={isAll}
          aria-keyshortcuts={isOn ? '0' : undefined}
          onClick={() => onAll(isAll ? 0 : allForMs)}
        >
          <kbd aria-hidden>0</kbd>
          {wallText.all}
        </button>
      )}
    </div>
  )
}

interface PlateProps {
  type: MessageType | null
  /** It is the message that fills the driver's screen. */
  isCurrent?: boolean
  /** A second press of its letter sends it. */
  isArmed?: boolean
  isDisabled?: boolean
  /** Keyboard shortcuts are on. */
  isOn: boolean
  onPress: () => void
}

/** The key of a message. Code 60 has no letter. */
function Plate({ type, isCurrent = false, isArmed, isDisabled, isOn, onPress }: PlateProps) {
  const letter = letterOf(type)
  return (
    <button
      type="button"
      className={`${styles.plate} ${tones.toned}`}
      data-tone={toneOf({ type }) ?? undefined}
      aria-pressed={isCurrent}
      aria-keyshortcuts={isOn && letter ? shortcuts(type) : undefined}
      disabled={isDisabled}
      {...withoutFocus}
      onClick={onPress}
    >
      {isArmed ? (
        messageText.again(letter)
      ) : (
        <>
          {letter && <kbd aria-hidden>{letter}</kbd>}
          {messageText.plate(type)}
        </>
      )}
    </button>
  )
}

interface SwitchesProps {
  isOn: boolean
  onSwitch: (isOn: boolean) => void
  onHelp: () => void
}

/** The list of keyboard shortcuts, and their switch. */
function KeySwitches({ isOn, onSwitch, onHelp }: SwitchesProps) {
  return (
    <>
      <button type="button" className={styles.switch} aria-label={wallText.help} onClick={onHelp}>
        <kbd aria-hidden data-icon>
          ?
        </kbd>
      </button>
      <button
        type="button"
        className={styles.switch}
        aria-pressed={isOn}
        aria-label={wallText.shortcuts}
        title={wallText.shortcuts}
        onClick={() => onSwitch(!isOn)}
      >
        {isOn ? <Keyboard aria-hidden /> : <KeyboardOff aria-hidden />}
      </button>
    </>
  )
}

/** Presses the key with this letter: that of the lane of a car, else that of the footer. Returns false if there is none. */
function pressKey(lane: string, letter: string): boolean {
  const own = `[data-lane="${lane}"] [data-key="${letter}"]`
  const key =
    document.querySelector<HTMLButtonElement>(own) ??
    document.querySelector<HTMLButtonElement>(`footer [data-key="${letter}"]`)
  key?.click()
  return key !== null
}

const otherLetters = [driverLetter, litresLetter, gotItLetter, moreLetter]

/** Returns whether a letter has a meaning on the wall. */
function isWallLetter(letter: string): boolean {
  const key = letter.toUpperCase()
  return (
    messageOf(key) !== undefined || handFieldOf(key) !== undefined || otherLetters.includes(key)
  )
}

function shortcuts(type: MessageType | null): string {
  const letter = letterOf(type)
  if (type === 'Abort') return `Shift+${letter}`
  return isAskable(type) ? `${letter} Shift+${letter}` : letter
}
