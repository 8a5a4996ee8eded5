// The texts of each mail in both languages, and the frame around them. Styles are inline, because mail programs remove style sheets.
type Language = 'en' | 'zh'

export interface Words {
  subject: string
  html: string
}

const TEXT = 'margin:0 0 16px;font-size:15px;line-height:24px;color:#1d2129'
const QUIET = 'margin:0;font-size:13px;line-height:20px;color:#6b7785'

/** The frame of every mail: the site's name at the top, its address at the bottom. */
export function page(content: string, site: { name: string; address: string }): string {
  const name = escapeHtml(site.name)
  const address = escapeHtml(site.address)
  const font = "font-family:-apple-system,'Segoe UI','PingFang SC','Microsoft YaHei',sans-serif"
  return (
    `<!doctype html><html><body style="margin:0;padding:24px;background:#f2f3f5;${font}">` +
    `<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">` +
    `<p style="margin:0 0 24px;font-size:18px;font-weight:600;color:#1d2129">${name}</p>` +
    content +
    `</div><p style="${QUIET};text-align:center;padding:16px">` +
    `<a href="${address}" style="color:#6b7785">${address}</a></p></body></html>`
  )
}

export function codeMail(code: string, minutes: number, site: string, language: Language): Words {
  const shown = `<p style="margin:0 0 16px;font-size:28px;letter-spacing:4px;font-weight:600">${escapeHtml(code)}</p>`
  if (language === 'zh') {
    return {
      subject: `${site} 邮箱验证码：${code}`,
      html: `${paragraph('您的邮箱验证码是：')}${shown}${quiet(`验证码 ${minutes} 分钟内有效，仅可使用一次。如果不是您本人操作，请忽略此邮件。`)}`,
    }
  }
  return {
    subject: `${site}: your verification code is ${code}`,
    html: `${paragraph('Your verification code:')}${shown}${quiet(`It is valid for ${minutes} minutes and works once. If you did not ask for it, ignore this mail.`)}`,
  }
}

export function resetMail(
  user: { username: string; link: string },
  minutes: number,
  site: string,
  language: Language,
): Words {
  const name = escapeHtml(user.username)
  if (language === 'zh') {
    return {
      subject: `${site} 重置密码`,
      html: `${paragraph(`有人申请重置账户 <strong>${name}</strong> 的密码。点击下面的链接继续：`)}${button(user.link, '重置密码')}${quiet(`链接 ${minutes} 分钟内有效，仅可使用一次。如果不是您本人操作，请忽略此邮件，密码不会改变。`)}`,
    }
  }
  return {
    subject: `${site}: reset your password`,
    html: `${paragraph(`Somebody asked to reset the password of the account <strong>${name}</strong>. Continue with this link:`)}${button(user.link, 'Reset the password')}${quiet(`It is valid for ${minutes} minutes and works once. If it was not you, ignore this mail: the password stays as it is.`)}`,
  }
}

/** For admins, if others may change how mails are sent. */
export function noResetMail(
  { username, isSuper }: { username: string; isSuper: boolean },
  site: string,
  language: Language,
): Words {
  const name = `<strong>${escapeHtml(username)}</strong>`
  const command = `<code>tollgate account reset ${escapeHtml(username)}</code>`
  if (language === 'zh') {
    const way = isSuper
      ? `请在网关所在的服务器上运行 ${command}。`
      : '请联系超级管理员，在用户管理中为您设置新密码。'
    return {
      subject: `${site} 重置密码`,
      html: `${paragraph(`有人申请重置管理员账户 ${name} 的密码。由于其他管理员可以更改邮件设置，该账户不能通过邮件重置密码。${way}`)}${quiet('如果不是您本人操作，请忽略此邮件，密码不会改变。')}`,
    }
  }
  const way = isSuper
    ? `run ${command} on the gateway's machine.`
    : 'ask the super admin to set a new password for you on the page Users.'
  return {
    subject: `${site}: reset your password`,
    html: `${paragraph(`Somebody asked to reset the password of the admin ${name}. Since other admins may change how mails go out, this account is not reset by mail: ${way}`)}${quiet('If it was not you, ignore this mail: the password stays as it is.')}`,
  }
}

export function testMail(site: string, language: Language): Words {
  return language === 'zh'
    ? { subject: `${site} 测试邮件`, html: paragraph('邮件服务配置正确，可以正常发送邮件。') }
    : { subject: `${site}: test mail`, html: paragraph('The mail settings work.') }
}

/** Fills the placeholders in order. The content is our own HTML; the values are escaped. */
export function noticeMail(notice: { title: string; content: string; values: string[] }): Words {
  const values = notice.values.map(escapeHtml)
  const filled = notice.content.replaceAll('{{value}}', () => values.shift() ?? '')
  return { subject: notice.title, html: paragraph(filled) }
}

function paragraph(html: string): string {
  return `<p style="${TEXT}">${html}</p>`
}

function quiet(text: string): string {
  return `<p style="${QUIET}">${text}</p>`
}

function button(link: string, label: string): string {
  const address = escapeHtml(link)
  const look =
    'display:inline-block;padding:8px 24px;border-radius:4px;background:#165dff;color:#ffffff;text-decoration:none'
  return (
    `<p style="margin:0 0 16px"><a href="${address}" style="${look}">${label}</a></p>` +
    `<p style="${QUIET};margin:0 0 16px;word-break:break-all">${address}</p>`
  )
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
