/** URLs that must never lead to a connection: this machine, private networks, metadata services, and what is no URL. */
const LISTED: readonly string[] = `
http://localhost http://localhost. http://LOCALHOST http://LocalHost:8080 http://localhost:443/x https://localhost
http://a.localhost http://x.y.localhost. http://localhost.localdomain http://foo.local http://printer.local.
http://metadata.google.internal http://metadata.google.internal./computeMetadata/v1/ http://host.docker.internal
http://gateway.internal http://kubernetes.default.svc.cluster.local http://intranet http://wiki http://router.lan
http://nas.home http://server.corp http://x.intranet http://x.private http://box.home.arpa http://metadata
http://127.0.0.1 http://127.0.0.1:80 http://127.0.0.1:8080/x?y#z https://127.0.0.1 http://127.0.0.1. http://127.1
http://127.0.1 http://127.127.127.127 http://127.255.255.254 http://2130706433 http://0x7f000001 http://0x7F.1
http://0x7f.0.0.1 http://0177.0.0.1 http://0177.1 http://017700000001 http://0x7f.0x0.0x0.0x1 http://127.0.0.0x1
http://127.000.000.001 http://00000177.0.0.1 http://127.0x1 http://127.65535 http://0x7f.65535 http://%31%32%37.0.0.1
http://１２７.０.０.１ http://127。0。0。1 http://①②⑦.⓪.⓪.① http://127.0.0.1%2e http://⑫⑦.⓪.⓪.①
http://0.0.0.0 http://0 http://0x0 http://00000 http://0.0.0.1 http://0.255.255.255 http://0.0 http://0.0.0.0:8080
http://10.0.0.0 http://10.0.0.1 http://10.255.255.255 http://10.1 http://167772161 http://0xa000001 http://012.1.1.1
http://172.16.0.1 http://172.31.255.255 http://172.20.10.5:3000 http://2886729729 http://0xac.0x10.0.1
http://192.168.0.1 http://192.168.1.1/admin http://192.168.255.255 http://192.168.257 http://3232235777 http://0xc0a80101
http://169.254.169.254 http://169.254.169.254/latest/meta-data/iam/security-credentials/ http://169.254.170.2/v2/credentials
http://169.254.0.1 http://169.254.255.255 http://2852039166 http://0xa9fea9fe http://0xa9.0xfe.0xa9.0xfe http://0251.0376.0251.0376
http://169.254.43518 http://100.100.100.200/latest/meta-data/ http://100.64.0.1 http://100.127.255.255 http://192.0.0.192
http://192.0.0.1 http://192.0.0.170 http://192.0.2.1 http://198.51.100.7 http://203.0.113.9 http://198.18.0.1 http://198.19.255.255
http://192.88.99.1 http://192.31.196.1 http://192.52.193.1 http://192.175.48.1 http://224.0.0.1 http://239.255.255.250:1900 http://232.1.1.1
http://240.0.0.1 http://250.1.2.3 http://255.255.255.255 http://255.255.255.255:80 http://4294967295 http://0xffffffff
http://[::1] http://[::1]:8080 https://[::1] http://[0:0:0:0:0:0:0:1] http://[0000::0001] http://[::0001] http://[::]
http://[0:0:0:0:0:0:0:0]:80 http://[::ffff:127.0.0.1] http://[::ffff:7f00:1] http://[0:0:0:0:0:ffff:127.0.0.1]
http://[::FFFF:7F00:0001] http://[::ffff:10.0.0.1] http://[::ffff:a9fe:a9fe] http://[::ffff:169.254.169.254]
http://[::ffff:192.168.1.1] http://[::ffff:0:0] http://[::ffff:100.64.0.1] http://[::127.0.0.1] http://[::7f00:1]
http://[::169.254.169.254] http://[::10.0.0.1] http://[::8.8.8.8] http://[64:ff9b::127.0.0.1] http://[64:ff9b::7f00:1]
http://[64:ff9b::a9fe:a9fe] http://[64:ff9b::10.1.2.3] http://[64:ff9b:1::127.0.0.1] http://[64:ff9b:1::a00:1]
http://[2002:7f00:1::] http://[2002:a9fe:a9fe::1] http://[2002:a00:1::1] http://[2002:c0a8:101::] http://[2002:808:808::1]
http://[2001:0:7f00:1::] http://[2001::1] http://[2001:0:53aa:64c:0:5bff:fe3b:1] http://[2001:10::1] http://[2001:20::1]
http://[2001:2::1] http://[2001:db8::1] http://[2001:db8:85a3::8a2e:370:7334] http://[3fff::1] http://[100::1]
http://[fc00::1] http://[fd00::1] http://[fd00:ec2::254] http://[fd20:ce::254]/computeMetadata/ http://[fdff:ffff::1]
http://[fe80::1] http://[fe80::a9fe:a9fe] http://[febf::1] http://[fec0::1] http://[feff::1] http://[ff02::1] http://[ff0e::1]
http://[ff01::1]:80 http://[5f00::1] http://[4000::1] http://[8000::1] http://[::2] http://[1::1] http://[0:ffff::1]
http://[e000::1] http://[::ffff:0:127.0.0.1] http://[::ffff:0:7f00:1] http://[2620:4f:8000::1]
http://user@example.com http://user:pass@example.com http://:pass@example.com http://example.com@127.0.0.1
http://127.0.0.1@example.com http://example.com:80@10.0.0.1 http://evil%40127.0.0.1 http://a:b@[::1]/
http://foo@localhost:80/ http://www.example.com%2F@127.0.0.1/ https://token@api.example.com/v1
file:///etc/passwd file://localhost/etc/passwd ftp://example.com/x ftps://example.com gopher://127.0.0.1:25/_x dict://127.0.0.1:11211/stat
data:text/html,hello javascript:alert(1) blob:https://example.com/x about:blank ws://example.com wss://example.com
ldap://example.com jar:http://example.com!/ view-source:http://example.com chrome://settings unix:/var/run/docker.sock
mailto:a@example.com tel:123 ssh://example.com sftp://example.com/x tftp://example.com:69/x netdoc:///etc/passwd
view-source:file:///etc/passwd about:srcdoc feed://example.com http:/// https:// http:// http://? http://#
//example.com/x /etc/passwd example.com:80 example.com ../x http://exa%00mple.com http://exam%20ple.com http://a\0b.com
http://[::1 http://[::1]x http://[fe80::1%25eth0] http://[fe80::1%eth0]/ http://256.256.256.256 http://1.2.3.4.5 http://0x100000000
http://999999999999 http://example.com:0 http://example.com:99999 http://example.com:-1 http://example.com:http
http://example.com:22 http://example.com:25/x http://example.com:6379 http://example.com:11211 http://example.com:110
http://example.com:143 http://example.com:445 http://example.com:2049 http://example.com:23 http://example.com:6667
https://example.com:21 http://example.com:111 http://example.com:139 http://example.com:389 http://example.com:873
`
  .trim()
  .split(/\s+/)
  .map((url) => url.replace("\\0", "\0"));

/** More of them: what a parser strips, folds or takes for something else, the ends of every block, odd schemes and ports. */
const HOSTILE: readonly string[] = [
  ...[
    "http:127.0.0.1",
    "http:/127.0.0.1",
    "http:\\\\127.0.0.1",
    "http:////127.0.0.1/x",
    "http:\\/10.0.0.1",
    "HTTP:localhost",
  ],
  ...[
    "\thttp://127.0.0.1",
    "ht\ntp://127.0.0.1",
    "http://1\n27.0.0.1",
    "http://local\thost/",
    " http://[::1] ",
    "http:/\r/10.1.1.1",
  ],
  ...[
    "http://%6c%6f%63%61lhost",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "http://ＬＯＣＡＬＨＯＳＴ",
    "http://loc\u00adalhost",
    "http://local\u200bhost",
  ],
  ...[
    "http://local\u2060host",
    "http://ℓocalhost",
    "http://127．0．0．1",
    "http://127｡0｡0｡1",
    "http://0x7f。1",
    "http://１０.1",
  ],
  ...[
    "http://localhost%2e",
    "http://localhost。",
    "http://foo。local",
    "http://metadata。google。internal",
    "http://𝟏𝟐𝟕.0.0.1",
  ],
  ...["http://localhost%00.example.com", "http://127.0.0.1%00.example.com", "http://127.0.0.1%0d%0a.example.com"],
  ...["http://127.0.0.1..", "http://localhost..", "http://2130706433.", "http://017700000001.", "http://0x7f000001."],
  ...[
    "http://0X7F000001",
    "http://0x7f.00.00.01",
    "http://0177.0000.0.1",
    "http://0x",
    "http://0x.0x.0x.0x",
    "http://00.00",
  ],
  ...["http://127.0.0.1:", "http://127.0.0.1:0080", "http://[::1]:", "http://[::1]:00080/", "http://127.0.0.1:00443"],
  ...[
    "http://127.0.0.1\\@example.com",
    "http://127.0.0.1#@example.com",
    "http://127.0.0.1?@example.com/",
    "http://127.0.0.1/@x",
  ],
  ...[
    "http://127.0.0.1;@example.com",
    "http://example.com;@127.0.0.1",
    "http://a%3Ab@example.com",
    "http://%75ser@example.com",
  ],
  ...["http://user%40x@example.com", "http://example.com%40@127.0.0.1", "https://a:@example.com", "http://@@127.0.0.1"],
  ...[
    "http://100.64.0.0",
    "http://100.127.255.254",
    "http://198.18.0.0",
    "http://172.16.0.0",
    "http://172.31.0.0",
    "http://10.0",
  ],
  ...[
    "http://169.254.169.253",
    "http://169.254.169.123",
    "http://168.63.129.16",
    "http://192.0.0.8",
    "http://192.0.0.171",
  ],
  ...["http://192.0.0.254", "http://203.0.113.255", "http://233.252.0.1", "http://241.0.0.1", "http://254.255.255.255"],
  ...[
    "http://[::ffff:0.0.0.0]",
    "http://[::ffff:255.255.255.255]",
    "http://[::ffff:224.0.0.1]",
    "http://[::ffff:0:a9fe:a9fe]",
  ],
  ...[
    "http://[64:ff9b::0.0.0.0]",
    "http://[64:ff9b::c0a8:101]",
    "http://[64:ff9b:1:ffff::1]",
    "http://[64:ff9b::6440:1]",
  ],
  ...[
    "http://[2001:1::1]",
    "http://[2001:3::1]",
    "http://[2001:4:112::1]",
    "http://[2001:30::1]",
    "http://[2001:1ff::1]",
  ],
  ...[
    "http://[2002::1]",
    "http://[2002:ffff:ffff::1]",
    "http://[2002:6440:1::]",
    "http://[3fff:fff:ffff::1]",
    "http://[1fff::1]",
  ],
  ...[
    "http://[fe80::1ff:fe23:4567:890a]",
    "http://[fe90::1]",
    "http://[fea0::1]",
    "http://[fec0::ffff]",
    "http://[fed0::1]",
  ],
  ...[
    "http://[ff00::1]",
    "http://[ff05::2]",
    "http://[ff3e::1]",
    "http://[fd00:ec2::23]",
    "http://[fd12:3456:789a::1]",
  ],
  ...[
    "http://[0::1]",
    "http://[::0:1]",
    "http://[::0.0.0.1]",
    "http://[::0.0.0.0]",
    "http://[0:0::7f00:1]",
    "http://[::fffe:7f00:1]",
  ],
  ...[
    "http://[100:0:0:1::1]",
    "http://[c000::1]",
    "http://[::１]",
    "http://[::1%2525lo]",
    "http://[127.0.0.1]",
    "http://[v1.x]",
  ],
  ...[
    "http://instance-data/latest/meta-data",
    "http://metadata./",
    "http://metadata.azure.internal",
    "http://wpad",
    "http://docker",
  ],
  ...[
    "http://x.home.arpa.",
    "http://db.svc.cluster.local:8080",
    "http://a.b.c.internal.",
    "http://x.LAN",
    "http://-",
    "http://_",
  ],
  ...[
    "http://example.com:1",
    "http://example.com:53",
    "http://example.com:79",
    "http://example.com:6000",
    "http://example.com:10080",
  ],
  ...[
    "https://example.com:444",
    "http://example.com:65536",
    "http://example.com:8 0",
    "http://example.com:+80",
    "http://example.com:0x50",
  ],
  ...[
    "http+unix://%2Fvar%2Frun%2Fdocker.sock/x",
    "git://example.com/x",
    "smb://example.com/x",
    "s3://bucket/x",
    "urn:x",
    "node:fs",
  ],
  ...[
    "filesystem:http://example.com/temporary/x",
    "blob:null/x",
    "chrome-extension://abc/x",
    "devtools://devtools/x",
    "vbscript:x",
  ],
  ...[
    "FILE:///etc/passwd",
    "fi\nle:///etc/passwd",
    "file:\\\\\\etc\\passwd",
    "C:\\Windows\\x",
    "\\\\server\\share",
    "mhtml:http://example.com",
  ],
];

export const REFUSED: readonly string[] = [...LISTED, ...HOSTILE];

/** Names that are not private by their looks, and what they resolve to: one bad answer among them is enough. */
export const RESOLVED: readonly (readonly string[])[] = [
  ["127.0.0.1"],
  ["127.8.8.8"],
  ["0.0.0.0"],
  ["10.9.8.7"],
  ["172.16.9.9"],
  ["192.168.3.4"],
  ["169.254.169.254"],
  ["100.64.1.1"],
  ["198.18.0.9"],
  ["224.0.0.251"],
  ["255.255.255.255"],
  ["::1"],
  ["::"],
  ["::ffff:127.0.0.1"],
  ["::ffff:a9fe:a9fe"],
  ["::127.0.0.1"],
  ["64:ff9b::7f00:1"],
  ["64:ff9b:1::a00:1"],
  ["2002:7f00:1::"],
  ["2001::1"],
  ["fd00:ec2::254"],
  ["fe80::1"],
  ["fe80::1%eth0"],
  ["ff02::1"],
  ["93.184.216.34", "127.0.0.1"],
  ["93.184.216.34", "2606:2800:220:1::1", "::1"],
  ["127.0.0.1", "93.184.216.34"],
  ["localhost"],
  ["93.184.216.34.nip.io"],
  ["0x7f.1"],
  ["2130706433"],
  ["127.1"],
  ["not an address"],
  [""],
];

/** URLs that go out, and the address that is connected to. `example.com` and what is below it resolve to 93.184.216.34. */
export const REACHED: readonly (readonly [url: string, address: string, port: number])[] = [
  ["http://example.com", "93.184.216.34", 80],
  ["https://example.com/", "93.184.216.34", 443],
  ["http://example.com:8080/x?y=1#z", "93.184.216.34", 8080],
  ["https://EXAMPLE.com.:8443", "93.184.216.34", 8443],
  ["http://docs.example.com/a/b", "93.184.216.34", 80],
  ["http://localhost.example.com", "93.184.216.34", 80],
  ["http://127.0.0.1.example.com", "93.184.216.34", 80],
  ["http://internal.example.com", "93.184.216.34", 80],
  ["http://local-host.example.com", "93.184.216.34", 80],
  ["http://xn--bcher-kva.example.com", "93.184.216.34", 80],
  ["http://b\u00fccher.example.com", "93.184.216.34", 80],
  ["http://8.8.8.8", "8.8.8.8", 80],
  ["http://1.1.1.1:3000", "1.1.1.1", 3000],
  ["http://0x08080808", "8.8.8.8", 80],
  ["http://134744072", "8.8.8.8", 80],
  ["http://172.32.0.1", "172.32.0.1", 80],
  ["http://172.15.255.255", "172.15.255.255", 80],
  ["http://192.169.0.1", "192.169.0.1", 80],
  ["http://100.128.0.1", "100.128.0.1", 80],
  ["http://11.0.0.1", "11.0.0.1", 80],
  ["http://169.253.1.1", "169.253.1.1", 80],
  ["http://[2606:4700:4700::1111]", "2606:4700:4700::1111", 80],
  ["https://[2a00:1450:4001:830::200e]:8443/", "2a00:1450:4001:830::200e", 8443],
  ["http://[2003::1]", "2003::1", 80],
  // what looks like another host is part of the path, the fragment or nothing
  ["http://example.com\\@127.0.0.1", "93.184.216.34", 80],
  ["http://example.com#@127.0.0.1", "93.184.216.34", 80],
  ["http://example.com/@127.0.0.1:22", "93.184.216.34", 80],
  ["http://@example.com", "93.184.216.34", 80],
  ["http://:@example.com", "93.184.216.34", 80],
  ["http:example.com", "93.184.216.34", 80],
  ["https:\\\\example.com", "93.184.216.34", 443],
  ["http://exam\nple.com", "93.184.216.34", 80],
  ["http://example.com:0080", "93.184.216.34", 80],
  ["http://ｅxample.com", "93.184.216.34", 80],
];
