import type { Text } from '../contract/errors.ts'

const untrusted: Text = {
  en: 'its certificate is not signed by an authority that this machine trusts; NODE_EXTRA_CA_CERTS names a file with further ones',
  zh: '其证书并非由本机信任的机构签发；可用 NODE_EXTRA_CA_CERTS 指定更多签发机构的文件',
}
const noTls: Text = {
  en: 'it does not speak TLS: is its address one of http://?',
  zh: '对方不使用 TLS：地址是否应为 http://？',
}
const noCommonTls: Text = {
  en: 'it accepts no version or cipher of TLS that this machine offers (TLS 1.2 and 1.3), or wants a certificate from its caller',
  zh: '对方不接受本机提供的任何 TLS 版本或加密套件（TLS 1.2 和 1.3），或要求调用方出示证书',
}
const wantsCertificate: Text = {
  en: 'it wants a certificate from its caller, and the gateway has none',
  zh: '对方要求调用方出示证书，而网关没有证书',
}
const noHttp: Text = {
  en: 'it does not speak HTTP/1.1: is its address one of https://, or its port that of something else?',
  zh: '对方不使用 HTTP/1.1：地址是否应为 https://，或端口属于其他服务？',
}

const credentials: Text = {
  en: 'the proxy wants another name and password',
  zh: '代理的用户名或密码不正确',
}
const unreached: Text = { en: 'the proxy does not reach it', zh: '代理无法连接该地址' }
const OF_PROXY = 'PROXY_'

/** What the codes of DNS, sockets and TLS mean to an operator (nodejs.org/api: dns, errors, tls). */
const meanings = new Map<string, Text>([
  ['ENOTFOUND', { en: 'DNS does not know its name', zh: 'DNS 中没有该域名' }],
  ['EAI_AGAIN', { en: 'DNS does not answer', zh: 'DNS 无响应' }],
  ['ECONNREFUSED', { en: 'nothing listens at its address', zh: '该地址无服务监听' }],
  ['EHOSTUNREACH', { en: 'no way leads to its address', zh: '无法到达该地址' }],
  ['ENETUNREACH', { en: 'no way leads to its network', zh: '无法到达该网络' }],
  ['ECONNRESET', { en: 'it closed the connection', zh: '对方关闭了连接' }],
  ['CLOSED_EARLY', { en: 'it closed the connection', zh: '对方关闭了连接' }],
  ['EMFILE', { en: 'this process has too many files open', zh: '本进程打开的文件过多' }],
  ['ENFILE', { en: 'this machine has too many files open', zh: '本机打开的文件过多' }],
  ['ENOBUFS', { en: 'this machine has no memory for sockets', zh: '本机没有可用于套接字的内存' }],
  ['ENOMEM', { en: 'this machine has no memory for sockets', zh: '本机没有可用于套接字的内存' }],
  [
    'EADDRNOTAVAIL',
    {
      en: 'this machine has no free port, or no address, towards it',
      zh: '本机没有可用于连接对方的端口或地址',
    },
  ],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
  ['CERT_HAS_EXPIRED', { en: 'its certificate has expired', zh: '其证书已过期' }],
  ['CERT_NOT_YET_VALID', { en: 'its certificate is not valid yet', zh: '其证书尚未生效' }],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    { en: 'its certificate is for another name', zh: '其证书属于其他域名' },
  ],
  ['INVALID_STATUS_LINE', noHttp],
  // As Node's own parser, which reads the answers of proxies, calls it.
  ['HPE_INVALID_CONSTANT', noHttp],
  // Alerts (RFC 8446, 6.2), as OpenSSL names them.
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', noCommonTls],
  ['ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY', noCommonTls],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', noCommonTls],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', wantsCertificate],
  ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', wantsCertificate],
  [
    'ERR_SSL_TLSV1_UNRECOGNIZED_NAME',
    { en: 'it serves no host of that name', zh: '对方没有该主机名的服务' },
  ],
  ['ERR_SSL_WRONG_VERSION_NUMBER', noTls],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', noTls],
  // Statuses of CONNECT answers, and failures of SOCKS that have no number (proxy-tunnel.ts).
  ['PROXY_401', credentials],
  ['PROXY_407', credentials],
  ['PROXY_403', { en: 'the proxy does not allow its address', zh: '代理不允许访问该地址' }],
  ['PROXY_502', unreached],
  ['PROXY_503', unreached],
  ['PROXY_504', unreached],
  [
    'PROXY_REFUSED',
    {
      en: 'the proxy wants another name and password, or does not reach it',
      zh: '代理的用户名或密码不正确，或代理无法连接该地址',
    },
  ],
])

/** The code, with its meaning if it is known. */
export function meaningOf(code: string): string | Text {
  const meaning = meanings.get(code) ?? meaningOfDial(code)
  if (!meaning) return code
  return { en: `${code}: ${meaning.en}`, zh: `${code}：${meaning.zh}` }
}

/** For a failed connection to the proxy itself; its code was marked as such. */
function meaningOfDial(code: string): Text | undefined {
  const meaning = code.startsWith(OF_PROXY) ? meanings.get(code.slice(OF_PROXY.length)) : undefined
  return meaning && { en: `of the proxy, ${meaning.en}`, zh: `代理：${meaning.zh}` }
}
