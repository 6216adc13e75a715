import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { OutputOf } from '#contract/api.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import type { Me } from '#contract/users.ts'
import { command } from '#web/api/call.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { refusedFields, showRefusedFields } from '#web/api/showRefusedFields.ts'
import { joinText } from '#web/text/join.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FieldPair } from '#web/ui/FieldPair.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { required } from '#web/ui/required.ts'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import styles from './JoinScreen.module.css'
import { refreshLogin } from './joinQueries.ts'
import { nameOf } from './nameOf.ts'

const names = ['firstName', 'lastName'] as const

interface Names {
  firstName: string
  lastName: string
}

/** The name of a person who joins; somebody who is signed in joins as they are. */
export function JoinForm({ code, found }: { code: string; found: OutputOf<'joinCodes.find'> }) {
  const { data } = useQuery(loginQuery)
  const user = data?.login?.television ? undefined : data?.login?.user
  const form = useForm<Names>({
    mode: 'onTouched',
    defaultValues: { firstName: '', lastName: '' },
  })
  const { join, same } = useJoin(code, reason => showRefusedFields(reason, names, form.setError))
  const { errors } = form.formState
  const shownBy = found.shownBy === null ? joinText.shownByMember : joinText.shownBy(found.shownBy)
  return (
    <Stack>
      <div className={styles.team}>
        <ThreeLetterPlate name={found.team} />
        <span>
          <b className={typography.lead}>{found.team}</b>
          <br />
          <span className={typography.sub}>{shownBy}</span>
        </span>
      </div>
      <PageHead title={joinText.title} />
      {same ? (
        <SameName
          names={same}
          busy={join.isPending}
          onAnswer={isSame => join.mutate({ ...same, isSame })}
        />
      ) : user && user.kind !== 'anonymous' ? (
        <AsUser user={user} busy={join.isPending} onJoin={() => join.mutate({})} />
      ) : (
        <form noValidate onSubmit={event => void form.handleSubmit(it => join.mutate(it))(event)}>
          <Stack>
            <FieldPair short>
              <Field
                {...form.register('firstName', required(joinText.firstNameMissing))}
                label={joinText.firstName}
                error={errors.firstName?.message}
                maxLength={maxNameLetters}
                autoComplete="given-name"
              />
              <Field
                {...form.register('lastName', required(joinText.lastNameMissing))}
                label={joinText.lastName}
                error={errors.lastName?.message}
                maxLength={maxNameLetters}
                autoComplete="family-name"
              />
            </FieldPair>
            <Button type="submit" busy={join.isPending}>
              {joinText.join}
            </Button>
            <p className={typography.sub}>{joinText.noEmail}</p>
            <LinkButton
              variant="quiet"
              to={`/auth/sign-in?${new URLSearchParams({ next: `/join/${code}` })}`}
            >
              {joinText.haveAccount}
            </LinkButton>
          </Stack>
        </form>
      )}
    </Stack>
  )
}

interface Joining extends Partial<Names> {
  isSame?: boolean
}

/** Returns `same`, the typed name, if a member has it and the person has to say whether it is them. */
function useJoin(code: string, showRefusal: (reason: Error) => boolean) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [same, setSame] = useState<Names | null>(null)
  const join = useMutation({
    mutationFn: (joining: Joining) => command('joinCodes.join', { code, ...joining }),
    onMutate: () => toasts.dismiss('join'),
    onSuccess: async ({ state, teamId }, { firstName = '', lastName = '' }) => {
      if (state === 'same-name') return setSame({ firstName, lastName })
      await refreshLogin(client)
      return navigate(`/join/${code}?team=${teamId}`, { replace: true })
    },
    onError: (reason, { firstName, isSame }) => {
      const isFormShown = firstName !== undefined && isSame === undefined
      if (isFormShown && showRefusal(reason)) return
      // Without a login the server needs a name, for which the form asks once it knows that the login has ended.
      const isSignedOut = firstName === undefined && refusedFields(reason, names).length > 0
      const text = isSignedOut ? joinText.signedOut : refusalText(reason)
      toasts.error(joinText.failed, text, 'join')
      if (isSignedOut) void refreshLogin(client).catch(() => undefined)
    },
  })
  return { join, same }
}

function AsUser({ user, busy, onJoin }: { user: Me; busy: boolean; onJoin: () => void }) {
  return (
    <>
      <p>{joinText.joinAs(nameOf(user))}</p>
      <Button busy={busy} onClick={onJoin}>
        {joinText.join}
      </Button>
    </>
  )
}

interface SameNameProps {
  names: Names
  busy: boolean
  onAnswer: (isSame: boolean) => void
}

function SameName({ names: { firstName, lastName }, busy, onAnswer }: SameNameProps) {
  const name = `${firstName} ${lastName}`
  return (
    <>
      <div className={styles.note} role="alert">
        <h2 className={typography.h2}>{joinText.sameTitle(name)}</h2>
        <p>{joinText.sameText}</p>
      </div>
      <Button busy={busy} onClick={() => onAnswer(true)}>
        {joinText.sameYes}
      </Button>
      <Button variant="quiet" disabled={busy} onClick={() => onAnswer(false)}>
        {joinText.sameNo(name)}
      </Button>
    </>
  )
}
