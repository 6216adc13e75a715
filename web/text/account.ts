/** The export and the deletion of an account. */
export const accountText = {
  exportTitle: 'Export your data',
  exportText:
    'A zip file with your account, your teams, the sessions you drove with their positions and messages, the messages you sent, and your photos. It takes longer with many positions.',
  download: 'Download',

  deleteAccount: 'Delete account',
  deleteTitle: 'Delete your account?',
  deleteLines: [
    'All your positions are deleted, and your active sessions end.',
    'You leave all teams. A team without other members is deleted with everything in it.',
    'Sessions and messages of your other teams stay, of a "Deleted user".',
    'This cannot be undone.',
  ] as readonly string[],
  typeEmail: (email: string) => `Type ${email} to confirm`,
  deleted: 'Account deleted',
  deletedText: 'Goodbye, and thank you for driving with Pitboard.',
}
