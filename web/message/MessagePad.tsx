import type { MessageType } from '#contract/messages.ts'
import { isYellowMessage } from '#contract/shared/lapKinds.ts'
import { isAskable } from '#contract/shared/messageTypes.ts'
import { answersText } from '#web/text/answers.ts'
import { messageText } from '#web/text/message.ts'
import { Pad, Plate } from '#web/ui/board/Pad.tsx'
import { toneOf } from '#web/ui/board/tone.ts'
import { letterOf, plates } from './letters.ts'
import { vibratePress } from './vibratePress.ts'

interface Props {
  /** The message on the board, if any. */
  current: MessageType | null
  disabled: boolean
  /** The next message is a question, unless it is a safety order, which is always sent. */
  asks: boolean
  /** ABORT waits for its second key. */
  isArmed: boolean
  onPress: (type: MessageType | null, ask: boolean) => void
}

/** The eight messages and CLEAR, three by three, always in this order. */
export function MessagePad({ current, disabled, asks, isArmed, onPress }: Props) {
  const press = (type: MessageType | null, ask: boolean) => {
    vibratePress()
    onPress(type, ask)
  }
  return (
    <Pad label={messageText.pad}>
      {plates.map(type => (
        <Plate
          key={type ?? 'clear'}
          tone={toneOf({ type })}
          pressed={type !== null && type === current}
          disabled={disabled}
          {...(isYellowMessage(type) && { note: messageText.teamInformation })}
          onPress={() => press(type, asks && isAskable(type))}
        >
          {plateText(type, asks, isArmed)}
        </Plate>
      ))}
    </Pad>
  )
}

function plateText(type: MessageType | null, asks: boolean, isArmed: boolean): string {
  if (type === 'Abort' && isArmed) return messageText.again(letterOf(type))
  const word = messageText.plate(type)
  return asks && isAskable(type) ? answersText.question(word) : word
}
