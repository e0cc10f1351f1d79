//! Command lines as people first try them: questions, wrong guesses, old names.

use crate::support::{Answer, Home};

const JAPANESE: (&str, &str) = ("LANG", "ja_JP.UTF-8");

#[test]
fn a_question_is_a_command_of_its_own() {
    let home = Home::new();
    home.write("library/a.md", "# Tea\n\nGreen tea lowers blood pressure by 2 mmHg.");
    let asked = |arguments: &[&str]| home.run_arguments(arguments);
    for question in
        ["Does tea lower blood pressure?", "緑茶は血圧を下げるか", "tea?", "tea and pressure"]
    {
        let answer = asked(&["--offline", question, "--library", "library"]);
        assert_eq!(answer.code, Some(0), "{answer}");
        let newest = home.run("task list --json").json();
        assert_eq!(newest["tasks"][0]["query"], question);
    }
}

#[test]
fn a_command_line_in_quotes_is_no_question() {
    let home = Home::new();
    insta::assert_snapshot!(home.run_arguments(&["task list"]), @"
    --- stderr
    error: there is no command `task list`
    hint: `lyra task list`
    --- exit 2
    ");
    assert!(!home.data().join("lyra.db").exists());
}

#[test]
fn wrong_guesses_lead_to_the_right_command_in_one_line() {
    let home = Home::new();
    for (typed, right) in [
        ("show", "lyra task show latest"),
        ("show 3F7KQ2", "lyra task show 3F7KQ2"),
        ("status", "lyra task list"),
        ("open", "lyra report latest"),
        ("ask", "lyra \"your question\""),
        ("ask tea", "lyra research \"tea\""),
        ("ask does tea help", "lyra \"does tea help\""),
        ("internet", "lyra \"your question\" --source web"),
        ("list", "lyra task list"),
        ("search", "lyra find \"words\""),
        ("search green tea --quiet", "lyra find \"green tea\" --quiet"),
        ("help me", "lyra --help"),
        ("help show", "lyra task show --help"),
        ("get", "lyra task show latest"),
        ("start", "lyra \"your question\""),
        ("history", "lyra task list"),
        ("settings", "lyra config show"),
        ("version", "lyra --version"),
        ("block spam.example.com", "lyra domain block spam.example.com --reason TEXT"),
        ("task open task:2", "lyra task show task:2"),
        ("domain ban x.example.com", "lyra domain block x.example.com --reason TEXT"),
        ("reserch tea", "lyra research tea"),
        ("task lst", "lyra task list"),
        ("what is dark matter", "lyra \"what is dark matter\""),
        ("find a b c", "lyra find \"a b c\""),
        ("vitamins", "lyra --help"),
    ] {
        let answer = home.run(typed);
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(2), ""), "{typed}: {answer}");
        assert_eq!(answer.stderr.lines().last(), Some(&*format!("hint: `{right}`")), "{typed}");
    }
}

#[test]
fn programs_get_the_right_command_too() {
    let answer = Home::new().run("show task:2 --json");
    let failure: serde_json::Value = serde_json::from_str(&answer.stderr).unwrap();
    assert_eq!(failure["error"]["code"], "bad_input");
    assert_eq!(failure["error"]["message"], "there is no command `show`");
    assert_eq!(failure["error"]["hint"], "`lyra task show task:2 --json`");
}

#[test]
fn hints_and_errors_of_a_command_line_are_japanese_in_a_japanese_locale() {
    let home = Home::new();
    insta::assert_snapshot!(home.run_with(JAPANESE, "ask"), @r#"
    --- stderr
    エラー: `ask` というコマンドはありません
    ヒント: `lyra "調べたいこと"`
    --- exit 2
    "#);
    insta::assert_snapshot!(home.run_with(JAPANESE, "task new q --max-pages 0"), @"
    --- stderr
    エラー: `--max-pages <N>` に `0` は使えません。範囲: 1..=100000
    ヒント: `lyra task new --help`
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_with(JAPANESE, "task list --limit 0"), @"
    --- stderr
    エラー: `--limit <N>` に `0` は使えません: 1 以上にしてください。--all ですべて表示します
    ヒント: `lyra task list --help`
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_with(JAPANESE, "claims --sort size"), @"
    --- stderr
    エラー: `--sort <SORT>` に `size` は使えません。使える値: confidence, controversy, uncertainty
    ヒント: `lyra claims --help`
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_with(JAPANESE, "evidence"), @"
    --- stderr
    エラー: 必要な引数がありません: <CLAIM>
    ヒント: `lyra evidence --help`
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_with(JAPANESE, "report --nothing"), @"
    --- stderr
    エラー: `--nothing` という引数は使えません
    ヒント: `lyra report --help`
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_with(JAPANESE, "task"), @"
    --- stderr
    調査を一覧し、表示し、終える

    使い方: lyra task [オプション] <コマンド>

    コマンド:
      new     質問を記録し、調査の ID を表示する
      list    調査を新しい順に一覧する
      show    調査の質問、上限、検索、集まった量を表示する
      stop    調査を終える。集めたものは残る
      delete  調査を完全に削除する: 文章と行、ほかの調査が使わない保存ページ
      help    説明を表示

    すべてのコマンドのオプション:
          --json             結果を JSON で出力（エラーは標準エラー出力へ JSON で）
          --json-lines       JSON の行で出力: 起きたことを順に、最後に結果
      -q, --quiet            結果とエラーだけを出力
          --color <WHEN>     色を使う条件 ［既定: 設定 output.color］ ［値: auto, always, never］
          --data-dir <DIR>   データベースとログのフォルダー
          --config <FILE>    設定ファイル
          --offline          ネットワークに何も送らない
          --set <KEY=VALUE>  この実行だけ設定を変える。例: task.max_pages=40（繰り返し可）
      -h, --help             説明を表示
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_with(JAPANESE, "--help"), @r#"
    証拠をグラフに残し、誰でも検証できる、手元で動く調査エンジン

    質問（調査）、そのために見つけたページと引用、そこから取り出した主張、どの引用がどの主張を支持または否定するかを保存します。結果は標準出力に、それ以外は標準エラー出力に出ます。

    使い方: lyra [オプション] "質問"
            lyra [オプション] コマンド

    尋ねる:
      research     質問を調査し、レポートを書く
      crawl        一つのページから、有望なリンクの順にサイトを読む
      sources      調べられる先を一覧する、または何があるかを尋ねる
      answer       アシスタントからの質問に答える
      demo         付属の小さな架空の文書群で、調査の全体を見る

    読む:
      web          ページを開く: 調査を見守り、証拠を確かめ、直し、持ち出す
      report       調査のレポートを書く
      task         調査を一覧し、表示し、終える
      find         引用と主張を言葉で探す（関連の強い順）
      read         ページやファイルを Lyra がどう読むかを表示する
      manual       手元のマニュアルを探し、読む
      archive      送られてきたままのページを表示し、検査する
      versions     ページの過去の版と、引用がページから消えていないかを表示する

    確かめる:
      claims       調査の主張を確信度とともに表示する
      evidence     主張を支持・否定する引用を表示する
      refs         参考文献を確かめる: 実在し、引用どおりのことを述べているか
      feedback     主張を不採用にする、判定を訂正する。どちらも取り消せる
      domain       読んでよいドメインを説明し、決める
      views        見つけたものについて、用意された問いに答える
      sql          グラフに SQL で尋ねる（読み取り専用）
      calibration  確からしさがどれだけ信用できるかを測り、補正する

    残す:
      vault        結果を保管庫に残す: 一覧、検索、読み、書き
      export       調査を、別のグラフやノートブックのために書き出す
      import       `lyra export` が書き出した調査を取り込む
      backup       Lyra が持つすべてを一つのファイルかフォルダーに写す
      restore      バックアップを調べ、データの場所に戻す

    手入れする:
      doctor       インストール、設定、データベースを検査し、救い出す
      config       設定とファイルの場所を表示する
      models       モデルを一覧し、加え、選び、試す
      engines      ウェブ検索エンジンとその調子を一覧する、または試す
      auth         人の操作を待つページを開く
      egress       この機械から出たすべての通信を一覧する
      log          Lyra がログに書いたことを表示する
      mcp          アシスタントに Model Context Protocol (MCP) で応える
      gc           どこからも使われないものを消す
      completions  シェルの補完スクリプトを出力する
      man          マニュアルページを出力する、またはすべて書き出す

    オプション:
          --json
              結果を JSON で出力（エラーは標準エラー出力へ JSON で）

          --json-lines
              JSON の行で出力: 起きたことを順に、最後に結果

      -q, --quiet
              結果とエラーだけを出力

          --color <WHEN>
              色を使う条件 ［既定: 設定 output.color］ ［値: auto, always, never］

          --data-dir <DIR>
              データベースとログのフォルダー

          --config <FILE>
              設定ファイル

          --offline
              ネットワークに何も送らない

          --set <KEY=VALUE>
              この実行だけ設定を変える。例: task.max_pages=40（繰り返し可）

      -h, --help
              説明を表示

      -V, --version
              バージョンを表示

    終了コード:
        0  完了
        1  Lyra の不具合（メッセージにエラーID）
        2  コマンドまたは入力が正しくない
        3  指定した ID のものがない
        4  設定が使えない
        5  データフォルダーまたはデータベースが使えない
        6  別のプロセスがデータベースを使用中
        7  上限に達した
        8  ページを取得できなかった
        9  調べたものに問題があった
      130  中断（Ctrl-C）

    環境変数:
      LYRA_CONFIG             設定ファイル（--config と同じ）
      LYRA_DATA_DIR           データフォルダー（--data-dir と同じ）
      LYRA_<SECTION>_<KEY>    任意の設定。例: LYRA_TASK_MAX_PAGES=40
      LYRA_LOG                ログに書くもの。例: debug、info,graph=trace
      NO_COLOR                色を使わない（--color always を除く）
      LC_ALL, LANG            ja で始まれば日本語で表示
    --- exit 0
    "#);
    insta::assert_snapshot!(home.run_with(JAPANESE, "report --help"), @"
    調査のレポートを書く

    答えを短く示します: 判定、双方の最も明確な箇所、質問に関する知見。`--out` で全体をファイルに書くときも同じです。`--full` と `--format` は全体を出力します:
    各知見を確信度・独立した情報源・原文の引用とともに、対立する双方の言い分、調べられなかったものと理由、調べ方。同じグラフからは同じレポートができます。

    PDF は、入っているブラウザー（Chromium、Chrome、Edge）が印刷します。DOCX は Word と LibreOffice で開けます。RIS、BibTeX、CSL-JSON
    は引用した出典で、Zotero などの文献管理ソフトで読めます。CSV は文書ごとに一行です。

    使い方: lyra report [オプション] [TASK]

    引数:
      [TASK]
              調査: latest（最新）、task:3（一覧の 3 番目）、または ID の先頭か末尾 ［既定: latest］

    オプション:
          --full
              レポート全体を出力: 端末ではテキスト、それ以外では Markdown

          --format <FORMAT>
              形式 ［既定: --out の末尾による。なければ brief］
              
              値:
              - brief: 一、二画面に収まる答え
              - text: 端末の幅に合わせたテキスト
              - md: Markdown
              - html: ブラウザーで開く、または印刷する一つのファイル
              - json: すべての内容（プログラム向け）
              - pdf: この機械のブラウザーで印刷した PDF
              - docx: Word、LibreOffice、Pages の文書
              - ris: 引用した出典（文献管理ソフト向け）
              - bibtex: 引用した出典（LaTeX 向け）
              - csl-json: 引用した出典（Zotero、Pandoc、引用スタイル向け）
              - csv: 文書ごとに、述べていることを一行で（表計算ソフト向け）

          --out <FILE>
              このファイルに書く

    すべてのコマンドのオプション:
          --json
              結果を JSON で出力（エラーは標準エラー出力へ JSON で）

          --json-lines
              JSON の行で出力: 起きたことを順に、最後に結果

      -q, --quiet
              結果とエラーだけを出力

          --color <WHEN>
              色を使う条件 ［既定: 設定 output.color］ ［値: auto, always, never］

          --data-dir <DIR>
              データベースとログのフォルダー

          --config <FILE>
              設定ファイル

          --offline
              ネットワークに何も送らない

          --set <KEY=VALUE>
              この実行だけ設定を変える。例: task.max_pages=40（繰り返し可）

      -h, --help
              説明を表示

    例:
      lyra report
      lyra report task:2 --full | less
      lyra report latest --out report.html
      lyra report latest --out report.pdf
      lyra report latest --format ris --out sources.ris
      lyra report latest --out documents.csv
      lyra report latest --format json | jq .findings[0]
    --- exit 0
    ");
    let nothing = home.run_with(JAPANESE, "");
    assert!(nothing.stdout.contains("手入れする:"), "{nothing}");
}

#[test]
fn old_names_go_on_and_say_the_new_one() {
    let home = Home::new();
    let said = |answer: &Answer, old: &str, new: &str| {
        assert_eq!(answer.code, Some(0), "{answer}");
        let told = format!(
            "warning: `{old}` is called `{new}` now; the old name goes with the next release\n"
        );
        assert!(answer.stderr.starts_with(&told), "{answer}");
    };
    for (old, new) in
        [("domain-block", "block"), ("domain-unblock", "unblock"), ("domain-clear", "clear")]
    {
        let answer = home.run(&format!("feedback {old} spam.example.com --reason copies"));
        said(&answer, &format!("lyra feedback {old}"), &format!("lyra domain {new}"));
    }
    said(&home.run("task new question --max-seconds 90"), "--max-seconds", "--minutes");
    assert_eq!(home.run("task list --json").json()["tasks"][0]["budget"]["max_seconds"], 90);
    home.run("task new question --minutes 3");
    assert_eq!(home.run("task list --json").json()["tasks"][0]["budget"]["max_seconds"], 180);
    home.write("library/a.md", "# Tea\n\nGreen tea lowers blood pressure by 2 mmHg.");
    let answer = home.run("research --offline --library library --budget-pages=5 tea");
    said(&answer, "--budget-pages", "--max-pages");
    let help = home.run("feedback --help").to_string() + &home.run("task new --help").to_string();
    for old in ["domain-block", "domain-clear", "max-seconds"] {
        assert!(!help.contains(old), "{help}");
    }
}
