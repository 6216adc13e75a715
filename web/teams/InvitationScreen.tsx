import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useParams } from 'react-router'
import { openInvitationQuery } from '#web/account/useInvitedTo.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { useMe } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { joinText } from '#web/text/join.ts'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { LogoPage } from '#web/ui/LogoPage.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Redirect } from '#web/ui/Redirect.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { useAccept } from './useAccept.ts'

/** Opened by the button of an invitation mail: accepts the invitation and opens the team, after the sign-in. */
export function InvitationScreen() {
  const { invitationId = '' } = useParams()
  const login = useQuery(loginQuery)
  if (!login.data)
    return (
      <Page>
        <NotLoaded query={login} loading={joinText.loading} failed={joinText.notAccepted} whole />
      </Page>
    )
  if (login.data.login) return <Accepting invitationId={invitationId} />
  return <SignInFirst invitationId={invitationId} />
}

/** Fills in the address to which the mail went. An invitation that is over leads to the same screen, without one. */
function SignInFirst({ invitationId }: { invitationId: string }) {
  const { data, isPending } = useQuery(openInvitationQuery(invitationId))
  if (isPending)
    return (
      <Page>
        <SkeletonRows label={joinText.loading} detailPx={160} />
      </Page>
    )
  const next = `/join/invitation/${invitationId}`
  const query = new URLSearchParams({ ...(data && { email: data.email }), next })
  return <Redirect to={`/auth/sign-in?${query}`} />
}

function Accepting({ invitationId }: { invitationId: string }) {
  const { email } = useMe()
  const accept = useAccept()
  const acceptOnce = useEffectEvent((id: string) => accept.mutate(id))
  useEffect(() => acceptOnce(invitationId), [invitationId])
  const { error } = accept
  return (
    <Page>
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
    </Page>
  )
}

function Page({ children }: { children: ReactNode }) {
  usePageTitle(joinText.accepting)
  return <LogoPage to="/teams">{children}</LogoPage>
}
