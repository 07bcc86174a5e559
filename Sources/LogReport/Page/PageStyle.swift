/// The style of the page: for wide and narrow screens, light and dark, and for paper.
enum PageStyle {
    static let text = """
        :root{color-scheme:light dark;--page:#fbfbfa;--card:#fff;--ink:#1c2024;--soft:#5a636d;--rule:#dfe3e6;
        --grid:#e6e9ec;--line:#0062a3;--band:#0062a333;--other:#8a939c;--otherband:#8a939c33;--gap:#d55e0026;
        --start:#00805f;--end:#b84a00;--gps:#0072b2;--glonass:#c44e00;--galileo:#00805f;--beidou:#8f5f00;
        --qzss:#b0568c;--sbas:#6b737b;--navic:#3a7fa8}
        @media screen and (prefers-color-scheme:dark){:root{--page:#14171a;--card:#1b1f23;--ink:#e8eaed;--soft:#a0a9b2;
        --rule:#31373d;--grid:#2a3036;--line:#6cb8f0;--band:#6cb8f038;--other:#87919b;--otherband:#87919b33;
        --gap:#e69f0033;--start:#3ecf9f;--end:#ff9a4d;--gps:#56b4e9;--glonass:#ff8a3d;--galileo:#2fc896;
        --beidou:#e9b13b;--qzss:#e39bc6;--sbas:#a4acb4;--navic:#9fd3f2}}
        *{box-sizing:border-box}
        body{margin:0;padding:1.5rem 1rem 3rem;background:var(--page);color:var(--ink);
        font:0.9375rem/1.5 system-ui,"DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
        header,main,footer{max-width:70rem;margin:0 auto}
        h1{font-size:0.875rem;font-weight:600;margin:0 0 0.25rem;color:var(--soft);text-transform:uppercase;
        letter-spacing:0.08em}
        h2{font-size:1.75rem;line-height:1.2;margin:0;overflow-wrap:anywhere}
        h3{font-size:1rem;margin:0 0 0.25rem}
        .sub{margin:0.375rem 0 1.25rem;color:var(--soft)}
        .log+.log{margin-top:3rem;padding-top:2rem;border-top:2px solid var(--rule)}
        .rule,.unit,footer,.detail,.absent{color:var(--soft);font-size:0.8125rem}
        .rule{margin:0.5rem 0 0;max-width:46rem}
        figure,.charts,.table{margin:0 0 1rem;padding:1rem 1.25rem;background:var(--card);border:1px solid var(--rule);
        border-radius:0.5rem}
        figcaption{display:flex;flex-wrap:wrap;gap:0 0.625rem;align-items:baseline;margin-bottom:0.5rem}
        .tiles{display:flex;flex-wrap:wrap;gap:1px;margin:0 0 1rem;
        background:var(--rule);border:1px solid var(--rule);border-radius:0.5rem;overflow:hidden}
        .tiles div{background:var(--card);padding:0.75rem 1rem;flex:1 1 11.5rem}
        dt{color:var(--soft);font-size:0.8125rem}
        dd{margin:0;font-size:1.25rem;line-height:1.35}
        dd.detail{font-size:0.8125rem}
        svg{display:block;overflow:hidden}
        svg path{fill:none;vector-effect:non-scaling-stroke}
        .grid{stroke:var(--grid);stroke-width:1;fill:none;vector-effect:non-scaling-stroke}
        .map{position:relative;max-height:38rem;margin:0 auto;max-width:100%;border:1px solid var(--rule);
        border-radius:0.25rem;overflow:hidden}
        .map svg{width:100%;height:100%}
        .accuracy.area{fill:var(--line);opacity:0.1}
        .accuracy.edge{fill:none;stroke:var(--line);opacity:0.35}.accuracy.edge circle{vector-effect:non-scaling-stroke}
        .way{stroke:var(--line);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
        .zoomed .way{stroke-opacity:0.3}
        .part{stroke:var(--line);stroke-width:3;stroke-linejoin:round;stroke-linecap:round}
        .dot{stroke-width:11;stroke-linecap:round}
        .dot.start{stroke:var(--start)}.dot.end{stroke:var(--end)}.dot.here{stroke:var(--ink)}
        path.outlier{stroke:var(--end);stroke-width:2}
        .scale{position:absolute;bottom:0.75rem;border:solid var(--ink);border-width:0 1.5px 1.5px;
        text-align:center;font-size:0.8125rem;line-height:1.4;text-shadow:0 0 4px var(--card),0 0 4px var(--card)}
        .north{position:absolute;top:1.5rem;font-size:0.8125rem;font-weight:600;line-height:1}
        .north::before{content:"";position:absolute;left:50%;top:-0.8rem;margin-left:-0.3rem;
        border:0.3rem solid transparent;border-top:0;border-bottom:0.6rem solid var(--ink)}
        .left{left:1rem}.right{right:1rem}
        .key{display:inline-block;width:0.6875rem;height:0.6875rem;border-radius:50%;margin-right:0.3rem;
        vertical-align:-0.0625rem}
        .rule .key:not(:first-child){margin-left:0.75rem}
        .key.start{background:var(--start)}.key.end{background:var(--end)}
        .key.circle{border:1px solid var(--line);background:var(--band)}
        .key.outlier{width:auto;height:auto;color:var(--end);font-weight:700}
        .key.line{width:1.125rem;height:0.1875rem;border-radius:0;background:var(--line);vertical-align:0.2rem}
        .key.line.other{background:var(--other);margin-left:0.75rem}
        .charts{outline-offset:2px}
        .chart{border:0;padding:0;margin:0 0 0.75rem;background:none}
        .chart figcaption{margin:0 0 0.375rem;min-height:1.5rem}
        output{margin-left:auto}
        .plot{position:relative;margin-left:3.25rem;height:8rem;border:solid var(--rule);border-width:0 0 1px 1px;
        cursor:crosshair;touch-action:pan-y}
        .plot svg{width:100%;height:100%}
        .y span{position:absolute;right:100%;margin:0 0.5rem -0.6em 0;line-height:1.2;font-size:0.75rem;
        color:var(--soft);white-space:nowrap}
        .x{position:relative;height:1.25rem;margin:-0.625rem 0 0 3.25rem;font-size:0.75rem;color:var(--soft)}
        .x span{position:absolute;transform:translateX(-50%);white-space:nowrap}
        .line{stroke:var(--line);stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round}
        path.band{fill:var(--band)}
        .line.other{stroke:var(--other)}path.band.other{fill:var(--otherband)}
        .gap{fill:var(--gap)}
        .cursor{position:absolute;top:0;bottom:0;width:1px;background:var(--ink);opacity:0.6;pointer-events:none;
        display:none}
        .controls{display:flex;gap:0.375rem;align-items:center;margin-bottom:0.75rem}
        .controls[hidden]{display:none}
        button{font:inherit;min-width:2.25rem;height:2.25rem;padding:0 0.625rem;color:inherit;background:var(--page);
        border:1px solid var(--rule);border-radius:0.375rem;cursor:pointer}
        button:hover{border-color:var(--soft)}
        .when{font-size:0.8125rem;color:var(--soft)}
        .sky .columns{display:grid;grid-template-columns:minmax(0,26rem) minmax(0,1fr);gap:1.5rem;align-items:center}
        .sky .grid{stroke:var(--rule)}
        .sky .columns>svg{width:100%;max-width:26rem}
        .orbit{stroke:var(--c);stroke-width:1.75;stroke-opacity:0.6;stroke-linejoin:round;stroke-linecap:round}
        svg path.sat{stroke:var(--c);stroke-width:1.5;fill:var(--card)}
        svg .used path.sat{fill:var(--c)}
        .gps{--c:var(--gps)}.glonass{--c:var(--glonass)}.galileo{--c:var(--galileo)}.beidou{--c:var(--beidou)}
        .qzss{--c:var(--qzss)}.sbas{--c:var(--sbas)}.navic{--c:var(--navic)}
        text{font-size:7px;text-anchor:middle;dominant-baseline:central;fill:var(--c,var(--soft))}
        text.compass{font-size:8px;font-weight:600;fill:var(--ink)}
        text.degrees{font-size:5.5px;text-anchor:start}
        text.name{font-size:6.5px;font-weight:600;paint-order:stroke;stroke:var(--card);stroke-width:2px}
        svg.mark{display:inline-block;width:1rem;height:1rem;margin-right:0.375rem;vertical-align:-0.1875rem}
        .tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,27rem),1fr));gap:1rem;
        align-items:start}
        .table{margin:0}
        .table.wide{grid-column:1/-1}
        .scroll{overflow-x:auto}
        table{border-collapse:collapse;font-size:0.875rem;margin-top:0.5rem;min-width:60%}
        th,td{text-align:left;padding:0.25rem 1rem 0.25rem 0;border-bottom:1px solid var(--rule);vertical-align:top;
        white-space:nowrap}
        td.text{white-space:normal}
        th{font-weight:600;color:var(--soft);font-size:0.8125rem}
        footer{margin-top:1.5rem}
        @media (max-width:44rem){body{padding:1rem 0.625rem 2rem}h2{font-size:1.375rem}
        figure,.charts,.table{padding:0.75rem}.tiles div{padding:0.625rem 0.75rem;flex-basis:40%}
        dd{font-size:1.0625rem}.plot{height:6.5rem;margin-left:2.5rem}.x{margin-left:2.5rem}
        .x .second{display:none}th,td{padding-right:0.75rem}
        .sky .columns{grid-template-columns:1fr}.map{max-height:none}}
        @media print{:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--soft:#444}
        body{padding:0;font-size:9pt}.controls,.hint,.cursor{display:none!important}
        figure,.charts,.table{border:0;padding:0;break-inside:avoid}.charts{break-inside:auto}
        .chart{break-inside:avoid}.log+.log{break-before:page}*{print-color-adjust:exact}
        .scroll{overflow:visible}td{white-space:normal}.sky .columns>svg{max-width:18rem}}
        """
}
