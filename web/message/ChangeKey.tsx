import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { DriverChangeButton } from '#web/race/DriverChangeButton.tsx'
import { lastWord, stintDriverName } from '#web/race/driverName.ts'
import { RefuelSheet } from '#web/race/RefuelSheet.tsx'
import { useCarRace } from '#web/race/useCarRace.ts'
import { useDriverProposal } from '#web/race/useDriverProposal.ts'
import { driverChangeText } from '#web/text/driverChange.ts'
import { messageText } from '#web/text/message.ts'

/**
 * Changes the driver, in two taps, and at a stop asks for the fuel next; nothing for a team without drivers. After a stop
 * whose planned driver change nobody has confirmed, it asks for that one.
 */
export function ChangeKey({ session }: { session: Session }) {
  const { race } = useCarRace(session.id)
  const [isRefuelling, setRefuelling] = useState(false)
  const proposal = useDriverProposal(session.id, race)
  if (!race || race.drivers.length === 0) return null
  const asked = proposal?.from === undefined ? undefined : proposal
  const next = asked && stintDriverName({ driverId: asked.plannedId, sessionId: session.id }, race)
  return (
    <>
      <DriverChangeButton
        session={session}
        race={race}
        asked={asked}
        onRefuel={() => setRefuelling(true)}
        renderButton={button =>
          next === undefined ? (
            <button type="button" aria-label={messageText.changeDriver} {...button}>
              <ArrowLeftRight aria-hidden />
              {messageText.driver}
            </button>
          ) : (
            <button type="button" data-asks {...button}>
              {driverChangeText.isIn(lastWord(next))}
            </button>
          )
        }
      />
      {isRefuelling && <RefuelSheet sessionId={session.id} onClose={() => setRefuelling(false)} />}
    </>
  )
}
