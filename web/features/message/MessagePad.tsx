import type { MessageType } from '#contract/messages.ts'
import { messageTypes } from '#contract/messageTypes.ts'
import { vibrate } from '#web/device/vibrate.ts'
import { messageText } from '#web/text/message.ts'
import { Pad, Plate } from '#web/ui/board/Pad.tsx'
import { toneOf } from './tone.ts'

const plates: readonly (MessageType | null)[] = [...messageTypes, null]
const shakeMs = 20

/** Race control signals these itself: the team only passes them on. */
const ofRaceControl: readonly (MessageType | null)[] = ['FCY', 'SC']

interface Props {
  /** What is on the board; none if nothing is. */
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
            // Gloves hide that a plate moved.
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
