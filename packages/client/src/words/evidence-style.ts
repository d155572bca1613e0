/** Fixed as the page is. Of a page that is read on a phone, on a desk and on paper. */
export const EVIDENCE_STYLE = `
:root{color-scheme:light;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--tint:#f6f8fa;--accent:#0b5cad}
*{box-sizing:border-box}
body{margin:0 auto;padding:24px 20px 48px;max-width:920px;color:var(--ink);background:#fff;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
header p{margin:0;color:var(--soft)}
h1{margin:4px 0 20px;font-size:24px;line-height:1.25;overflow-wrap:anywhere}
h1 code{font-size:.8em}
h2{margin:0 0 8px;font-size:18px;overflow-wrap:anywhere}
h3{margin:0;font-size:16px}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.875em}
section{margin:0 0 28px}
p{margin:0 0 8px;overflow-wrap:anywhere}
ul{margin:0;padding-left:20px}
li{margin:0 0 6px}
.proves{display:grid;gap:20px;padding:16px;border:1px solid var(--line);border-left:4px solid var(--accent);border-radius:6px}
.left-out{margin:0;font-weight:600}
ol{margin:0;padding:0;list-style:none;border-top:1px solid var(--line)}
ol>li{display:grid;gap:0 20px;margin:0;padding:10px 0;border-bottom:1px solid var(--line);break-inside:avoid}
.when{margin:0;color:var(--soft);font-variant-numeric:tabular-nums}
.when span{margin-left:12px;font-size:13px}
.who{margin:0;color:var(--soft)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
pre{margin:8px 0 0;padding:10px 12px;background:var(--tint);border:1px solid var(--line);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse}
th,td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{width:30%;font-weight:600}
.verify pre{margin:8px 0}
@media (min-width:720px){.proves{grid-template-columns:1fr 1fr}.left-out{grid-column:1/-1}ol>li{grid-template-columns:210px 1fr}.when span{display:block;margin:0}}
@media print{@page{margin:16mm}body{padding:0;max-width:none;font-size:11pt}h2{break-after:avoid}.proves{grid-template-columns:1fr 1fr;break-inside:avoid}ol>li{grid-template-columns:190px 1fr}.when span{display:block;margin:0}pre{background:none}}
`;
