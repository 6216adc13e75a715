import type { MessageType } from '#contract/messages.ts'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { vibrate } from '#web/device/attention/vibrate.ts'
import { toneOf } from '#web/messages/tone.ts'
import { messageText } from '#web/text/message.ts'
import { Pad, Plate } from '#web/ui/board/Pad.tsx'

const plates: readonly (MessageType | null)[] = [...messageTypes, null]
const shakeMs = 20

/** Race control signals these itself: the team only repeats them. */
const ofRaceControl: readonly (MessageType | null)[] = ['FCY', 'SC']

interface Props {
  /** The message on the board, if any. */
  current: MessageType | null
  disabled: boolean
  onPress: (type: MessageType | null) => void
}

/** The eight messages and CLEAR, three by three, always in this order. */
export function MessagePad({ current, disabled, onPress }: Props) {
  return (
    <Pad label={messageText.pad}>
      {plates.map(type => (
        <Plate
          key={type ?? 'clear'}
          tone={toneOf(type)}
          pressed={type !== null && type === current}
          disabled={disabled}
          {...(ofRaceControl.includes(type) && { note: messageText.teamInformation })}
          onPress={() => {
            // Feedback through gloves.
            vibrate(shakeMs)
            onPress(type)
          }}
        >
          {messageText.plate(type)}
        </Plate>
      ))}
    </Pad>
  )
}
