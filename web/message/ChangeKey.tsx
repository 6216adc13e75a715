import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { DriverChangeButton } from '#web/race/DriverChangeButton.tsx'
import { RefuelSheet } from '#web/race/RefuelSheet.tsx'
import { useCarRace } from '#web/race/useCarRace.ts'
import { messageText } from '#web/text/message.ts'

/** Changes the driver, in two taps, and at a stop asks for the fuel next; nothing for a team without drivers. */
export function ChangeKey({ session }: { session: Session }) {
  const { race } = useCarRace(session.id)
  const [isRefuelling, setRefuelling] = useState(false)
  if (!race || race.drivers.length === 0) return null
  return (
    <>
      <DriverChangeButton
        session={session}
        race={race}
        onRefuel={() => setRefuelling(true)}
        renderButton={button => (
          <button type="button" aria-label={messageText.changeDriver} {...button}>
            <ArrowLeftRight aria-hidden />
            {messageText.driver}
          </button>
        )}
      />
      {isRefuelling && <RefuelSheet sessionId={session.id} onClose={() => setRefuelling(false)} />}
    </>
  )
}
