import type { MessageType } from '#contract/messages.ts'
import { isAskable, messageTypes } from '#contract/shared/messageTypes.ts'
import { vibrate } from '#web/device/vibrate.ts'
import { answersText } from '#web/text/answers.ts'
import { messageText } from '#web/text/message.ts'
import { Pad, Plate } from '#web/ui/board/Pad.tsx'
import { toneOf } from './tone.ts'
import { usePadKeys } from './usePadKeys.ts'

const plates: readonly (MessageType | null)[] = [...messageTypes, null]
const shakeMs = 20

/** Race control signals these itself: the team only repeats them. */
const ofRaceControl: readonly (MessageType | null)[] = ['FCY', 'SC']

interface Props {
  /** The message on the board, if any. */
  current: MessageType | null
  disabled: boolean
  /** The next message is a question: orders cannot be asked. */
  asks: boolean
  onPress: (type: MessageType | null, ask: boolean) => void
}

/** The eight messages and CLEAR, three by three, always in this order. */
export function MessagePad({ current, disabled, asks, onPress }: Props) {
  const press = (type: MessageType | null, ask: boolean) => {
    // Feedback through gloves.
    vibrate(shakeMs)
    onPress(type, ask)
  }
  usePadKeys(place => {
    const type = plates[place]
    if (!disabled && type !== undefined && isAskable(type)) press(type, true)
  })
  return (
    <Pad label={messageText.pad}>
      {plates.map(type => (
        <Plate
          key={type ?? 'clear'}
          tone={toneOf({ type })}
          pressed={type !== null && type === current}
          disabled={disabled || (asks && !isAskable(type))}
          {...(ofRaceControl.includes(type) && { note: messageText.teamInformation })}
          onPress={() => press(type, asks)}
        >
          {asks && isAskable(type)
            ? answersText.question(messageText.plate(type))
            : messageText.plate(type)}
        </Plate>
      ))}
    </Pad>
  )
}
