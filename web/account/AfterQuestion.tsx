import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Me } from '#contract/users.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { authText } from '#web/text/auth.ts'
import { Button } from '#web/ui/Button.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { AuthLayout } from './AuthLayout.tsx'

/** The screens that sign in, after a question to a person who joined by a code on this device: is the email theirs? */
export function AfterQuestion({ children }: { children: ReactNode }) {
  const me = useQuery(loginQuery).data?.login?.user
  const [search] = useSearchParams()
  return me?.kind === 'joined' && !search.has('attach') ? <AttachQuestion me={me} /> : children
}

/** Keeps the answer in the URL. */
function AttachQuestion({ me: { firstName, lastName } }: { me: Me }) {
  const [search, setSearch] = useSearchParams()
  const name = [firstName, lastName].filter(Boolean).join(' ')
  usePageTitle(authText.attachTitle(name))
  function answer(attach: 'yes' | 'no') {
    const answered = new URLSearchParams(search)
    answered.set('attach', attach)
    setSearch(answered, { replace: true })
  }
  return (
    <AuthLayout title={authText.attachTitle(name)} sub={authText.attachText}>
      <Stack>
        <Button onClick={() => answer('yes')}>{authText.attachYes(name)}</Button>
        <Button variant="quiet" onClick={() => answer('no')}>
          {authText.attachNo}
        </Button>
        <p className={typography.sub}>{authText.attachNoText(name)}</p>
      </Stack>
    </AuthLayout>
  )
}
