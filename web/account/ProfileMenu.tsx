import { useMutation, useQuery } from '@tanstack/react-query'
import {
  Bell,
  Download,
  KeyRound,
  LogOut,
  Mail,
  MapPinOff,
  MonitorSmartphone,
  ShieldCheck,
  UserPen,
  UserX,
} from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { DeskMenuItem } from '#support/web/registerMenu.tsx'
import { command } from '#web/api/call.ts'
import { useMe } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { newestPhotoUrl } from '#web/api/pictures.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { teamsQuery } from '#web/api/teamQueries.ts'
import { accountText } from '#web/text/account.ts'
import { profileText } from '#web/text/profile.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog, FormDialog } from '#web/ui/Dialog.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { Initials, Menu, MenuItem } from '#web/ui/Menu.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { DevicesDialog } from './DevicesDialog.tsx'
import { EmailDialog } from './EmailDialog.tsx'
import { initialsOf } from './initialsOf.ts'
import { NameDialog } from './NameDialog.tsx'
import { NotificationsDialog } from './NotificationsDialog.tsx'
import { PasskeysDialog } from './PasskeysDialog.tsx'
import { useSignOut } from './useSignOut.ts'

/** Menu of the signed-in user: name, email, devices, positions, sign-out; for agents also the support desk. */
export function ProfileMenu() {
  const me = useMe()
  const hasSupport = useQuery(loginQuery).data?.login?.support
  const [naming, setNaming] = useState(false)
  const [changingEmail, setChangingEmail] = useState(false)
  const [listing, setListing] = useState(false)
  const [showingPasskeys, setShowingPasskeys] = useState(false)
  const [choosingEvents, setChoosingEvents] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const [exporting, setExporting] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const signOut = useSignOut()
  const navigate = useNavigate()
  const { data: teams } = useQuery(teamsQuery)
  const photo = newestPhotoUrl(me.id, teams ?? [])
  const name = [me.firstName, me.lastName].filter(Boolean).join(' ')
  const email = me.email ?? profileText.anonymous
  return (
    <>
      <Menu
        label={profileText.menu(initialsOf(me))}
        button={<Initials picture={photo}>{initialsOf(me)}</Initials>}
        title={name || email}
        {...(name && { detail: email })}
      >
        <MenuItem icon={<UserPen aria-hidden />} onChoose={() => setNaming(true)}>
          {profileText.editName}
        </MenuItem>
        {me.email !== null && (
          <MenuItem icon={<Mail aria-hidden />} onChoose={() => setChangingEmail(true)}>
            {profileText.changeEmail}
          </MenuItem>
        )}
        {me.email !== null && (
          <MenuItem icon={<Bell aria-hidden />} onChoose={() => setChoosingEvents(true)}>
            {profileText.notifications}
          </MenuItem>
        )}
        <MenuItem icon={<MonitorSmartphone aria-hidden />} onChoose={() => setListing(true)}>
          {profileText.devices}
        </MenuItem>
        <MenuItem icon={<KeyRound aria-hidden />} onChoose={() => setShowingPasskeys(true)}>
          {profileText.passkeys}
        </MenuItem>
        <MenuItem icon={<MapPinOff aria-hidden />} onChoose={() => setDeleting(true)}>
          {profileText.deletePositions}
        </MenuItem>
        {me.email !== null && (
          <MenuItem icon={<Download aria-hidden />} onChoose={() => setExporting(true)}>
            {profileText.exportData}
          </MenuItem>
        )}
        {me.email !== null && (
          <MenuItem icon={<UserX aria-hidden />} onChoose={() => setLeaving(true)}>
            {profileText.deleteAccount}
          </MenuItem>
        )}
        <MenuItem icon={<ShieldCheck aria-hidden />} onChoose={() => void navigate('/privacy')}>
          {profileText.privacy}
        </MenuItem>
        {hasSupport && <DeskMenuItem />}
        <MenuItem icon={<LogOut aria-hidden />} onChoose={() => void signOut.request()}>
          {profileText.signOut}
        </MenuItem>
      </Menu>
      <NameDialog open={naming} onClose={() => setNaming(false)} />
      <EmailDialog open={changingEmail} onClose={() => setChangingEmail(false)} />
      <DevicesDialog open={listing} onClose={() => setListing(false)} />
      {showingPasskeys && <PasskeysDialog onClose={() => setShowingPasskeys(false)} />}
      {choosingEvents && <NotificationsDialog onClose={() => setChoosingEvents(false)} />}
      {exporting && <ExportDialog onClose={() => setExporting(false)} />}
      {leaving && <DeleteAccountDialog onClose={() => setLeaving(false)} />}
      <DeleteAllPositions open={deleting} onClose={() => setDeleting(false)} />
      <ConfirmDialog
        open={signOut.unsent !== null}
        title={profileText.unsentTitle}
        text={profileText.unsentText(signOut.unsent?.positions ?? 0, signOut.unsent?.changes ?? 0)}
        cancelLabel={profileText.staySignedIn}
        confirmLabel={profileText.signOutAndDelete}
        onCancel={signOut.stay}
        onConfirm={signOut.confirm}
      />
    </>
  )
}

interface Props {
  open: boolean
  onClose: () => void
}

/** Asks for confirmation, then deletes all positions of this user. Stays open until the response. */
function DeleteAllPositions({ open, onClose }: Props) {
  const toasts = useToasts()
  const remove = useMutation({
    mutationFn: () => command('users.deletePositions', {}),
    onSuccess: ({ deleted, continues }) => {
      const count = whole.format(deleted)
      toasts.success(
        profileText.deleted,
        continues ? profileText.deletedSoFar(count) : profileText.deletedText(count),
      )
    },
    onError: reason => toasts.error(profileText.deleteFailed, refusalText(reason)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      open={open}
      title={profileText.deleteTitle}
      text={profileText.deleteText}
      cancelLabel={profileText.keepPositions}
      confirmLabel={profileText.deletePositions}
      busy={remove.isPending}
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
    />
  )
}

const whole = new Intl.NumberFormat()

/** Explains the export of the user's data, and links to it. */
function ExportDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog open title={accountText.exportTitle} onClose={onClose}>
      <Stack>
        <p className={typography.sub}>{accountText.exportText}</p>
        {/* A link, so that the browser saves a large file while it arrives. */}
        <LinkButton to="/api/v1/export.zip" reloadDocument download="pitboard.zip">
          <Download aria-hidden />
          {accountText.download}
        </LinkButton>
        <Button variant="quiet" onClick={onClose}>
          {profileText.close}
        </Button>
      </Stack>
    </FormDialog>
  )
}
