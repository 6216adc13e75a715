import { useQueryClient } from '@tanstack/react-query'
import type { JoinRequest } from '#contract/joinCodes.ts'
import { command } from '#web/api/call.ts'
import { useMe } from '#web/api/login.ts'
import { appText } from '#web/text/app.ts'
import { joinText } from '#web/text/join.ts'
import { Button } from '#web/ui/Button.tsx'
import { dayAndTime } from '#web/ui/dates.ts'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { refreshJoining, useJoinRequests } from './joinQueries.ts'
import { nameOf } from './nameOf.ts'

/** People who wait to be let in, for members. Renders nothing if there are none. */
export function JoinRequests({ teamId }: { teamId: string }) {
  const waiting = useJoinRequests(teamId)
  return (
    <div aria-live="polite">
      {waiting.length > 0 && (
        <section aria-labelledby="join-requests">
          <SectionHead id="join-requests" title={joinText.requests} />
          <Rows labelledBy="join-requests">
            {waiting.map(request => (
              <RequestRow key={request.userId} teamId={teamId} request={request} />
            ))}
          </Rows>
        </section>
      )}
    </div>
  )
}

function RequestRow({ teamId, request }: { teamId: string; request: JoinRequest }) {
  const { email } = useMe()
  const { browser, system, askedAt, lastName, takesOver } = request
  const name = nameOf(request)
  const answer = useAnswer(teamId, request)
  const device =
    browser !== null && system !== null ? joinText.device(browser, system) : joinText.unknownDevice
  const mayAnswer = !takesOver || email !== null
  return (
    <Row
      plate={<ThreeLetterPlate name={lastName ?? name} quiet />}
      title={takesOver ? joinText.wantsBack(name) : joinText.wants(name)}
      detail={
        <>
          {joinText.asked(device, dayAndTime.format(askedAt))}
          {takesOver && (
            <>
              <br />
              {joinText.takesOver(name)} {!mayAnswer && joinText.needsEmail}
            </>
          )}
        </>
      }
      choices={
        <>
          <Button
            variant="quiet"
            aria-label={joinText.noOf(name)}
            disabled={answer.isPending}
            onClick={() => answer.mutate('turnAway')}
          >
            {joinText.no}
          </Button>
          <Button
            aria-label={joinText.letInOf(name)}
            busy={answer.isPending}
            disabled={!mayAnswer}
            onClick={() => answer.mutate('letIn')}
          >
            {joinText.letIn}
          </Button>
        </>
      }
    />
  )
}

/** Answers a person who wants to join. */
export function useAnswer(teamId: string, request: JoinRequest) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { userId } = request
  return useCommand({
    send: (answer: 'letIn' | 'turnAway') => command(`joinCodes.${answer}`, { teamId, userId }),
    failed: joinText.answerFailed,
    onSuccess: (_, answer) => {
      const name = nameOf(request)
      if (answer === 'letIn') toasts.success(appText.success, joinText.letInDone(name), 'join')
      else toasts.success(joinText.turnedAway(name), joinText.turnedAwayText, 'join')
    },
    onSettled: () => refreshJoining(client, teamId),
  })
}
