import { useForm } from 'react-hook-form'
import { useNavigate, useParams } from 'react-router'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { useMe } from '#web/api/login.ts'
import { showRefusedFields } from '#web/api/showRefusedFields.ts'
import { membersText } from '#web/text/members.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmailField, Field } from '#web/ui/Field.tsx'
import { FieldPair } from '#web/ui/FieldPair.tsx'
import { isEmail } from '#web/ui/isEmail.ts'
import { required } from '#web/ui/required.ts'
import { SubPage } from '#web/ui/SubPage.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import { NeedsAccount } from './NeedsAccount.tsx'
import { type NewInvitation, useInvite } from './useInvite.ts'
import { useLiveMembers } from './useLiveMembers.ts'

const names = ['firstName', 'lastName', 'email'] as const

/** Invites somebody by email. */
export function InviteScreen() {
  const { teamId = '' } = useParams()
  const { kind } = useMe()
  return (
    <SubPage
      page={membersText.invitePage}
      title={membersText.inviteTitle}
      sub={membersText.inviteSub}
      backTo={`/teams/${teamId}/members`}
      back={membersText.title}
    >
      {kind === 'joined' ? <NeedsAccount /> : <InviteForm teamId={teamId} />}
    </SubPage>
  )
}

function InviteForm({ teamId }: { teamId: string }) {
  const navigate = useNavigate()
  useLiveMembers(teamId)
  const { register, handleSubmit, formState, setError } = useForm<NewInvitation>({
    mode: 'onTouched',
    defaultValues: { firstName: '', lastName: '', email: '' },
  })
  const { errors } = formState
  const invite = useInvite(teamId, {
    onInvited: () => navigate(`/teams/${teamId}/members`, { replace: true }),
    showRefusal: reason => showRefusedFields(reason, names, setError),
  })
  return (
    <form noValidate onSubmit={event => void handleSubmit(it => invite.mutate(it))(event)}>
      <Stack>
        <FieldPair>
          <Field
            {...register('firstName', required(membersText.firstNameMissing))}
            label={membersText.firstName}
            error={errors.firstName?.message}
            maxLength={maxNameLetters}
          />
          <Field
            {...register('lastName', required(membersText.lastNameMissing))}
            label={membersText.lastName}
            error={errors.lastName?.message}
            maxLength={maxNameLetters}
          />
        </FieldPair>
        <EmailField
          {...register('email', {
            validate: text => isEmail(text) || membersText.emailIncomplete,
          })}
          label={membersText.email}
          error={errors.email?.message}
          autoComplete="off"
          placeholder={membersText.emailExample}
        />
        <Button type="submit" disabled={!formState.isValid} busy={invite.isPending}>
          {membersText.invite}
        </Button>
      </Stack>
    </form>
  )
}
