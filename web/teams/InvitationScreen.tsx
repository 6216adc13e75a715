import { useEffect, useEffectEvent } from 'react'
import { CallRefused } from '#web/api/callRefused.ts'
import { useMe } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { joinText } from '#web/text/join.ts'
import { Bar, LogoLink } from '#web/ui/Bar.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'
import { useAccept } from './useAccept.ts'

/** Opened by the button of an invitation mail: accepts the invitation, and opens the team. */
export function InvitationScreen({ invitationId }: { invitationId: string }) {
  usePageTitle(joinText.accepting)
  const { email } = useMe()
  const accept = useAccept()
  const acceptOnce = useEffectEvent((id: string) => accept.mutate(id))
  useEffect(() => acceptOnce(invitationId), [invitationId])
  const { error } = accept
  return (
    <>
      <Bar>
        <LogoLink to="/teams" label={appText.home} />
      </Bar>
      <Wrap>
        {error ? (
          <Stack>
            <PageHead
              title={joinText.notAccepted}
              sub={
                error instanceof CallRefused && error.code === 'not-found'
                  ? joinText.notAcceptedText(email ?? joinText.thisAccount)
                  : refusalText(error)
              }
            />
            <LinkButton to="/teams">{joinText.toTeams}</LinkButton>
          </Stack>
        ) : (
          <SkeletonRows label={joinText.accepting} detailPx={160} />
        )}
      </Wrap>
    </>
  )
}
