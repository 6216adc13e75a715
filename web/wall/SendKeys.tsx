import { Keyboard } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { MessageType } from '#contract/messages.ts'
import { isAskable, messageTypes } from '#contract/shared/messageTypes.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { type Coloured, toneOf } from '#web/message/tone.ts'
import { usePress } from '#web/message/useSendMessage.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import tones from '#web/ui/board/tones.module.css'
import { KeysHelp } from './KeysHelp.tsx'
import { laneName } from './laneName.ts'
import type { Lane } from './lanes.ts'
import { MoreKey } from './MoreKey.tsx'
import styles from './SendKeys.module.css'
import { useWallKeys, type WallKeys } from './useWallKeys.ts'
import { letterOf, messageOf, moreLetter } from './wallKeys.ts'

/** In the order of the pad. */
const plates: readonly (MessageType | null)[] = [...messageTypes, null]

interface Props extends Pick<WallKeys, 'onCar' | 'onStep'> {
  lane: Lane
  /** Other actions for the chosen car. */
  children?: ReactNode
}

/**
 * The nine keys that send to the chosen car, and More. They act at once, as the plates of the pad do.
 */
export function SendKeys({ lane, onCar, onStep, children }: Props) {
  const { session } = lane
  const name = laneName(session)
  const { message, dataLink } = useLiveSession(session.id, state => state.session) ?? session
  const press = usePress(session.id, message)
  const send = ({ type, colour }: Coloured, ask: boolean) =>
    press(type, { ask, colour, toCar: true })
  const [isHelpOpen, setHelpOpen] = useState(false)
  /** The car for which the sheet was opened: it must not stay open for another car. */
  const [moreOpenFor, setMoreOpenFor] = useState<string | null>(null)
  const [isOn, setOn] = useWallKeys({
    onCar,
    onStep,
    onLetter: (letter, asks) => {
      if (!dataLink) return false
      if (asks && letter.toUpperCase() === moreLetter) {
        setMoreOpenFor(lane.id)
        return true
      }
      const type = messageOf(letter, plates)
      // An order cannot be asked, and a Shift by mistake must not send it as one.
      if (type === undefined || (asks && !isAskable(type))) return false
      send({ type }, asks)
      return true
    },
    onHelp: () => setHelpOpen(true),
  })
  return (
    <footer className={styles.keys}>
      <p className={styles.to}>
        <span>{wallText.sendTo}</span>
        <span className={styles.number}>{name.plate}</span>
      </p>
      <fieldset
        className={styles.plates}
        disabled={!dataLink}
        aria-label={wallText.sendToCar(name.full)}
      >
        {plates.map(type => (
          <button
            key={type ?? 'clear'}
            type="button"
            className={`${styles.plate} ${tones.toned}`}
            data-tone={toneOf({ type }) ?? undefined}
            aria-pressed={type !== null && type === message.type}
            aria-keyshortcuts={isOn ? shortcuts(type) : undefined}
            onClick={() => send({ type }, false)}
          >
            <kbd aria-hidden data-off={!isOn || undefined}>
              {letterOf(type)}
            </kbd>
            {messageText.plate(type)}
          </button>
        ))}
        <MoreKey
          key={lane.id}
          teamId={session.teamId}
          car={name.full}
          current={message}
          disabled={!dataLink}
          hasShortcut={isOn}
          isOpen={moreOpenFor === lane.id}
          onOpen={open => setMoreOpenFor(open ? lane.id : null)}
          onSend={send}
        />
      </fieldset>
      {children}
      <button
        type="button"
        className={styles.switch}
        aria-label={wallText.help}
        onClick={() => setHelpOpen(true)}
      >
        <kbd aria-hidden>?</kbd>
      </button>
      <button
        type="button"
        className={styles.switch}
        aria-pressed={isOn}
        aria-label={wallText.shortcuts}
        onClick={() => setOn(!isOn)}
      >
        <Keyboard aria-hidden />
        <span aria-hidden>{isOn ? wallText.keysOn : wallText.keysOff}</span>
      </button>
      <KeysHelp open={isHelpOpen} plates={plates} onClose={() => setHelpOpen(false)} />
    </footer>
  )
}

function shortcuts(type: MessageType | null): string {
  const letter = letterOf(type)
  return isAskable(type) ? `${letter} Shift+${letter}` : letter
}
